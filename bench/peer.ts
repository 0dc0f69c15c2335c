import 'reflect-metadata';

import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { freePort } from '../server/start/free-port.ts';
import { atMost, type BenchRow } from './bench-row.ts';
import { benchService, withService } from './bench-service.ts';
import { cpuTime } from './cpu-time.ts';
import { LIMITS } from './duel/limits.ts';
import { HttpsLoad, type LoadRequest } from './https-load.ts';
import { median } from './times.ts';
import { benchFleet } from './waits/fleet-records.ts';

const ROUNDS = 9;
/** Rounds before, until the code of the service is compiled. */
const WARM_UPS = 6;
const CONCURRENCY = 16;
const DEVICES = 50;
const WHY =
  'Go, without TLS, beside JavaScript with it; each connection, look-up and answer passes the driver and its protocol';

/** A server, and what the same request is to it. */
interface Side {
  readonly pid: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly paths: Readonly<Record<'one' | 'list' | 'create', string>>;
  /** A device to create, and the status of the answer. */
  readonly device: string;
  readonly created: number;
  end(): Promise<unknown>;
}

/**
 * Measures the whole service, its embedded database included, beside a PocketBase with devices of the same fields that belong to
 * a user: CPU time of the process for a request.
 *
 * @param program the executable file of the PocketBase
 */
export async function run(program: string): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  const load = new HttpsLoad();
  const sides: Side[] = [];
  try {
    sides.push(await waybridge(join(folder, 'waybridge')), await pocketBase(program, join(folder, 'pocketbase')));
    const [ours, theirs] = sides as [Side, Side];
    const rows: BenchRow[] = [];
    for (const { what, ...work } of WORKS) {
      const rounds: { readonly own: number; readonly other: number }[] = [];
      for (let round = 1 - WARM_UPS; round <= ROUNDS; round++) {
        const [own, other] = [await cost(load, ours, work), await cost(load, theirs, work)];
        if (round > 0) rounds.push({ own, other });
      }
      const [own, other] = [median(rounds.map((round) => round.own)), median(rounds.map((round) => round.other))];
      const ratios = rounds.map((round) => round.own / round.other);
      const detail = `${own.toFixed(0)} µs to ${other.toFixed(0)} µs of CPU a request; rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
      rows.push(
        atMost(`${what}, to PocketBase`, median(ratios), 1, detail, work.path === 'create' ? WHY_CREATING : WHY),
      );
    }
    return rows;
  } finally {
    await Promise.all([load.close(), ...sides.map((side) => side.end())]);
    rmSync(folder, { recursive: true, force: true });
  }
}

const WHY_CREATING = `${WHY}; it syncs no write to the disk, and has neither a log of changes nor a security log`;

const WORKS = [
  { what: 'a device', path: 'one', count: 700 },
  { what: 'a list of 50 devices with their number', path: 'list', count: 250 },
  { what: 'a device that is created', path: 'create', count: 300 },
] as const;

/** CPU time of a request, in microseconds. */
async function cost(
  load: HttpsLoad,
  side: Side,
  { path, count }: Omit<(typeof WORKS)[number], 'what'>,
): Promise<number> {
  const url = side.url + side.paths[path];
  const common = { url, count, concurrency: CONCURRENCY };
  const json = { ...side.headers, 'content-type': 'application/json' };
  const request: LoadRequest =
    path === 'create'
      ? { ...common, method: 'POST', headers: json, body: side.device, status: side.created }
      : { ...common, method: 'GET', headers: side.headers, body: '' };
  const before = cpuTime(side.pid);
  await load.send(request);
  return (cpuTime(side.pid) - before) / count;
}

async function waybridge(folder: string): Promise<Side> {
  const env = { DATA_DIR: folder, ...LIMITS };
  const size = { devices: DEVICES, groups: 10, vehicles: DEVICES, users: 10, subscriptions: 5 };
  const { apiKey, deviceKey } = await withService(env, (service) => benchFleet(service, size));
  const service = await benchService(env);
  const devices = '/api/v2/devices';
  return {
    pid: service.child.pid ?? 0,
    url: service.url,
    headers: { 'service-api-key': apiKey },
    paths: { one: `/api/v2/device/${deviceKey}`, list: devices, create: devices },
    device: '{"serial":"NEW-%n"}',
    created: 201,
    end: () => service.end(),
  };
}

async function pocketBase(program: string, folder: string): Promise<Side> {
  const [identity, password] = ['admin@example.com', randomUUID()];
  execFileSync(program, ['superuser', 'upsert', identity, password, '--dir', folder]);
  const port = await freePort('127.0.0.1', 0);
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(program, ['serve', '--http', `127.0.0.1:${port}`, '--dir', folder], { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  while (
    !(await fetch(`${url}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await setTimeout(50);
  const send = async (path: string, body: object, token = ''): Promise<Readonly<Record<string, string>>> => {
    const headers = { 'content-type': 'application/json', authorization: token };
    const answer = await fetch(`${url}/api/collections${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Readonly<Record<string, string>>;
  };
  const { token: admin } = await send('/_superusers/auth-with-password', { identity, password });
  const owned = 'account = @request.auth.id';
  const text = (name: string) => ({ name, type: 'text' });
  const account = { name: 'account', type: 'relation', collectionId: '_pb_users_auth_', maxSelect: 1, required: true };
  const collection = {
    ...{ name: 'devices', type: 'base', listRule: owned, viewRule: owned, createRule: '@request.auth.id != ""' },
    fields: [account, text('serial'), text('nickname'), text('vehicle'), text('status'), text('created')],
    indexes: ['CREATE UNIQUE INDEX one_serial ON devices (account, serial)'],
  };
  await send('', collection, admin);
  const user = await send('/users/records', { email: identity, password, passwordConfirm: password }, admin);
  const { token = '' } = await send('/users/auth-with-password', { identity, password });
  const records = '/devices/records';
  const device = (serial: string) => ({
    account: user.id,
    serial,
    nickname: 'Van',
    vehicle: user.id,
    status: 'active',
  });
  const made: Readonly<Record<string, string>>[] = [];
  for (let number = 0; number < DEVICES; number++) made.push(await send(records, device(`DEVICE-${number}`), token));
  return {
    pid: child.pid ?? 0,
    url,
    headers: { authorization: token },
    paths: {
      one: `/api/collections/devices/records/${made[0]?.id}`,
      list: `/api/collections/devices/records?perPage=${DEVICES}`,
      create: '/api/collections/devices/records',
    },
    device: JSON.stringify(device('NEW-%n')),
    created: 200,
    end: async () => child.kill('SIGKILL'),
  };
}
