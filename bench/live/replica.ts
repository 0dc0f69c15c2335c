import 'reflect-metadata';

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ChangeStore } from '../../models/changes/change.ts';
import { newKey } from '../../models/key.ts';
import type { Service } from '../../models/store/service.ts';
import { accountAccessScope, tripsAccessScope } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { lastNumber, numberChanges } from '../../notifying/changes/number-changes.ts';
import type { ChangeKind } from '../../schema/changes/change.ts';
import { atMost, type BenchRow } from '../bench-row.ts';
import { benchService, withService } from '../bench-service.ts';
import { cpuTime } from '../cpu-time.ts';
import { LIMITS } from '../duel/limits.ts';
import { benchAccount, insertNumbered, sendingVehicles } from '../records.ts';
import { benchTrips } from '../trips/trips-records.ts';

const CHANGES = Number(process.env.CHANGES ?? 1_000_000);
/** Vehicles, devices and trips, whose changes alternate. */
const RECORDS = 10_000;
const MAX_SECONDS = 60;

const execute = promisify(execFile);

/**
 * Measures the time in which a copy becomes current after a million changes, in memory and in SQLite: the client and the service
 * have a core each.
 */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  const env = { DATA_DIR: folder, ...LIMITS };
  try {
    const { key, apiKey } = await withService(env, makeRecords);
    const reader = async (...args: readonly string[]) => {
      const service = await benchService(env);
      const before = cpuTime(service.child.pid ?? 0);
      const file = join(import.meta.dirname, 'replica-reader.js');
      const options = { env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'tls/ca.pem') } };
      const { stdout } = await execute(process.execPath, [file, service.url, apiKey, ...args], options);
      const cpu = (cpuTime(service.child.pid ?? 0) - before) / 1e6;
      await service.end();
      return { ...(JSON.parse(stdout) as Outcome), service: cpu };
    };
    const { cursor } = await reader();
    await withService(env, (service) => logChanges(service, key));
    return [row('memory', await reader(cursor)), row('SQLite', await reader(cursor, join(folder, 'copy.db')))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Result of a reader; CPU in seconds. */
interface Outcome {
  readonly cursor: string;
  /** Changes that it has read from the log. */
  readonly changes: number;
  /** True if it has then read all records instead of the rest of the log. */
  readonly isSnapshot: boolean;
  /** Size of the copy. */
  readonly records: number;
  readonly seconds: number;
  readonly cpu: number;
}

function row(store: string, outcome: Outcome & { readonly service: number }): BenchRow {
  const { changes, isSnapshot, records, seconds, cpu, service } = outcome;
  const read = `${changes} read from the log${isSnapshot ? ', then a snapshot' : ''}`;
  const detail = `${seconds.toFixed(1)} s, ${read}; CPU: ${cpu.toFixed(1)} s of the client, ${service.toFixed(1)} s of the service with its start and the first snapshot`;
  const what = `${CHANGES} changes to a copy of ${records} records in ${store}, to ${MAX_SECONDS} s`;
  return atMost(what, seconds / MAX_SECONDS, 1, detail);
}

async function makeRecords(service: Service) {
  const { key, apiKey } = await benchAccount(service);
  const [first] = await sendingVehicles(service, key, RECORDS);
  const trips = { account_key: key, vehicle_key: first?.key ?? '', count: RECORDS, perDay: 10, points: 60, drives: 20 };
  await benchTrips(service, { ...trips, withPoints: false });
  await numberChanges(service);
  return { key, apiKey };
}

/** Logs changes of the records as if they had been made one after the other. */
async function logChanges(service: Service, account_key: string): Promise<void> {
  const accessScope = accountAccessScope(service, account_key);
  const ofAccount = tripsAccessScope(accessScope, null);
  const lists = await Promise.all([
    VehicleStore.find(accessScope, {}, 'key').then(namesOf('vehicle')),
    DeviceStore.find(accessScope, {}, 'key').then(namesOf('device')),
    TripStore.find(ofAccount, {}, 'key').then(namesOf('trip')),
  ]);
  const last = await lastNumber(accessScope);
  await insertNumbered(ChangeStore, service, CHANGES, (at) => {
    const list = lists[at % lists.length] ?? [];
    const name = list[Math.floor(at / lists.length) % list.length] ?? { kind: 'vehicle' as const, key: '' };
    const change = {
      happened: 'updated' as const,
      timestamp: new Date(),
      late: false,
      is_growth: false,
      mark: newKey(),
    };
    const nowhere = { vehicle_key: null, group_path: null, user_keys: null };
    return { ...change, ...nowhere, ...name, account_key, number: last + 1 + at };
  });
}

function namesOf<Kind extends ChangeKind>(kind: Kind) {
  return (records: readonly { readonly key: string }[]) => records.map(({ key }) => ({ kind, key }));
}
