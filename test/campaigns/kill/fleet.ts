import pLimit from 'p-limit';

import { askCommand } from '../../processes/run-command.ts';
import type { Settings } from '../../processes/waybridge-process.ts';

/** Public address of the servers, whichever port each of them has. */
export const PUBLIC_URL = 'https://localhost:8443';

/** Origin of the page that special-purpose tokens are for. */
export const ORIGIN = 'https://www.example.com';

/** Headers of a request. */
export type Headers = Readonly<Record<string, string>>;

/** An account with the headers that its owner sends. */
export interface Owner {
  readonly account_key: string;
  readonly owner_key: string;
  readonly headers: Headers;
}

/** A device in a vehicle of its own. */
export interface FleetDevice {
  readonly vehicle_key: string;
  readonly device_key: string;
  readonly serial: string;
  /** The key that its positions are sent with. */
  readonly headers: Headers;
}

/** Everything that is provisioned before the first round. */
export interface Fleet {
  readonly settings: Settings;
  /** Folder for the files that are imported. */
  readonly folder: string;
  readonly owner: Owner;
  /** Accounts that register apps: each may register 30 an hour. */
  readonly publishers: readonly Owner[];
  /** Devices with a key each. */
  readonly devices: readonly FleetDevice[];
  /** Devices of a forwarder. */
  readonly forwarded: readonly FleetDevice[];
  /** Vehicle of the imported trips. */
  readonly importVehicle: string;
  readonly app: { readonly client_id: string; readonly client_secret: string };
  /** Of the app, with the scopes that it may have. */
  readonly accessToken: string;
  /** Of the website's administrator. */
  readonly website: Headers;
  /** When the positions of the first round begin, in milliseconds since 1970. */
  readonly start: number;
}

/** Rounds for which one account registers apps. */
export const ROUNDS_A_PUBLISHER = 9;

/** Numbers of records to provision. */
export interface FleetSize {
  readonly rounds: number;
  /** Devices with keys of their own, and as many of a forwarder. */
  readonly devices: number;
}

/** Provisions accounts, devices, keys, an app with a grant and an administrator of the website, by the command line. */
export async function provision(settings: Settings, folder: string, { rounds, devices }: FleetSize): Promise<Fleet> {
  const oneByOne = pLimit(1);
  const run = (...args: string[]) =>
    oneByOne(async () => (await askCommand(args, settings)) as Readonly<Record<string, string>>);
  const newOwner = async (nickname: string): Promise<Owner> => {
    const { key: account_key = '', owner_key = '', api_key = '' } = await run('account', 'add', '--nickname', nickname);
    return { account_key, owner_key, headers: { 'service-api-key': api_key } };
  };
  const owner = await newOwner('Fleet');
  const account = ['--account', owner.account_key];
  // Trips as short as what a round has sent when its servers are killed.
  const limits = ['--minimum-distance', '0', '--minimum-time', '0', '--movement', '1'];
  await run('account', 'update-trip-settings', owner.account_key, ...limits);
  const newVehicle = async (nickname: string) =>
    (await run('vehicle', 'add', ...account, '--nickname', nickname)).key ?? '';
  const newDevice = async (serial: string, secretOf: (device_key: string) => Promise<string>): Promise<FleetDevice> => {
    const vehicle_key = await newVehicle(serial);
    const inVehicle = ['--serial', serial, '--vehicle', vehicle_key];
    const { key: device_key = '' } = await run('device', 'add', ...account, ...inVehicle);
    return { vehicle_key, device_key, serial, headers: { authorization: `Bearer ${await secretOf(device_key)}` } };
  };
  const newDevices = (prefix: string, secretOf: (device_key: string) => Promise<string>) =>
    Promise.all(Array.from({ length: devices }, (_, at) => newDevice(`${prefix}-${at}`, secretOf)));
  const newApp = async () => {
    const redirect = ['--redirect-uri', `${ORIGIN}/callback`];
    const { client_id = '', client_secret = '' } = await run('app', 'add', ...account, '--name', 'Maps', ...redirect);
    const grant = ['--app', client_id, '--user', owner.owner_key];
    const { access_token: accessToken = '' } = await run('oauth-token', 'issue', ...grant);
    return { app: { client_id, client_secret }, accessToken };
  };
  const newAdministrator = async () => {
    const person = ['--username', 'mara', '--email', 'mara@example.com', '--role', 'administrator'];
    const { application_password } = await run('content', 'user', 'add', ...person);
    return { authorization: `Basic ${Buffer.from(`mara:${application_password}`).toString('base64')}` };
  };
  const forwarderKey = run('forwarder-key', 'add', ...account);
  const others = Math.ceil(rounds / ROUNDS_A_PUBLISHER) - 1;
  const publishers = Array.from({ length: others }, (_, at) => newOwner(`Publisher ${at}`));
  const [own, forwarded, importVehicle, registered, website, registering] = await Promise.all([
    newDevices('SN', async (key) => (await run('device-key', 'add', '--device', key)).device_key_secret ?? ''),
    newDevices('FW', async () => (await forwarderKey).forwarder_key_secret ?? ''),
    newVehicle('Imported'),
    newApp(),
    newAdministrator(),
    Promise.all(publishers),
  ]);
  return {
    settings,
    folder,
    owner,
    publishers: [owner, ...registering],
    devices: own,
    forwarded,
    importVehicle,
    ...registered,
    website,
    start: Math.floor(Date.now() / DAY_MS - 30) * DAY_MS,
  };
}

const DAY_MS = 86_400_000;
