import { copyFile, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { issueApiKey } from '../../../auth/api-keys.ts';
import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { type LocalCertificate, localCertificate } from '../../../http/tls/local-ca.ts';
import { AccountStore } from '../../../models/account/account.ts';
import { UserStore } from '../../../models/account/user.ts';
import { newKey } from '../../../models/key.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import type { Service } from '../../../models/store/service.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { serialFields } from '../../../models/vehicles/serial-grams.ts';
import { nicknameFields, VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { databaseFile } from '../../../server/database/data-folder.ts';
import { openDatabase } from '../../../server/database/database.ts';
import { Random } from '../../../server/demo/random.ts';

import { VirtualEngine } from './virtual-engine.ts';
import { VirtualNetwork } from './virtual-network.ts';
import { settingsOf } from './virtual-server.ts';
import { newProcess, processes, VirtualTime } from './virtual-time.ts';

/** The true time at which every simulated day begins. */
export const MORNING = Date.parse('2026-03-02T06:00:00Z');

/** A vehicle with a device that sends its positions. */
export interface SimulatedVehicle {
  readonly vehicle_key: string;
  readonly device_key: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An account in a database of its own, which each day begins with a copy of. */
export interface Fleet {
  readonly account_key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly vehicles: readonly SimulatedVehicle[];
  readonly certificate: LocalCertificate;
  /** Folder of the original, and of the copies. */
  readonly folder: string;
}

const VEHICLES = 3;

/** A trip begins with the first meters and ends with a pause of five minutes, so a drive needs few positions. */
const TRIP_SETTINGS = {
  stop_seconds: 300,
  gap_seconds: 300,
  ignition_off_seconds: 0,
  movement_meters: 1,
  minimum_meters: 0,
  minimum_seconds: 0,
  maximum_kmh: null,
  reporter: null,
  ignition_trusted: null,
  accuracy_meters: null,
};

/** Makes the fleet of a campaign, in a folder that the caller removes. */
export async function makeFleet(): Promise<Fleet> {
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-virtual-'));
  const certificate = await localCertificate(folder, []);
  const dataDir = join(folder, 'original');
  await mkdir(dataDir);
  const random = new Random('fleet');
  const time = new VirtualTime(random, MORNING - 60_000);
  const network = new VirtualNetwork(time, random);
  const restores = [time.install(), network.install()];
  try {
    const made = processes.run(newProcess('fleet'), async () => {
      const engine = new VirtualEngine(databaseFile(dataDir), 'database.virtual', network, { failure: () => null });
      const options = { dataDir, uri: engine.uri, sqlite: engine.sqlite };
      const database = await openDatabase(settingsOf(options), true, { embeddedAt: engine.uri, migrations: 'run' });
      const fleet = await fill(database.service);
      await database.close();
      engine.store.close();
      return fleet;
    });
    return { ...(await time.until(made)), certificate, folder };
  } finally {
    for (const restore of restores.reverse()) restore();
  }
}

/** Copies the database of a fleet into a new data folder. */
export async function copyFleet({ folder }: Fleet): Promise<string> {
  const dataDir = await mkdtemp(join(folder, 'day-'));
  await copyFile(databaseFile(join(folder, 'original')), databaseFile(dataDir));
  return dataDir;
}

async function fill(service: Service): Promise<Pick<Fleet, 'account_key' | 'headers' | 'vehicles'>> {
  const account_key = newKey();
  const all = unrestricted(service);
  const now = new Date();
  const dates = { created: now, updated: now };
  await AccountStore.create(all, { key: account_key, nickname: 'Bakery', ...dates, trip_settings: TRIP_SETTINGS });
  const inAccount = { account_key, group_keys: [], group_path: [] };
  await UserStore.create(all, { key: newKey(), ...inAccount, email: null, disabled: false, created: now });
  const { secret: api_key } = await issueApiKey(service, account_key);
  const vehicles: SimulatedVehicle[] = [];
  for (let number = 0; number < VEHICLES; number++) {
    const [vehicle_key, device_key] = [newKey(), newKey()];
    await VehicleStore.create(all, {
      key: vehicle_key,
      ...nicknameFields(`Van ${number}`),
      ...inAccount,
      created: now,
    });
    await DeviceStore.create(all, {
      key: device_key,
      ...serialFields(`SN-${number}`),
      status: 'installed',
      subscription_status: 'active',
      vehicle_key,
      ...inAccount,
    });
    const { secret } = await issueIngestKey(service, { account_key, device_key });
    vehicles.push({ vehicle_key, device_key, headers: { authorization: `Bearer ${secret}` } });
  }
  return { account_key, headers: { 'service-api-key': api_key }, vehicles };
}
