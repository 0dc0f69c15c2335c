import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { IngestClient } from '../../cli/simulator/ingest-client.ts';
import { type Batch, simulatedBatches, simulatedSerial } from '../../cli/simulator/simulated-batches.ts';
import { findSqliteEngine } from '../../embedded/storage/sqlite.ts';
import { localCertificate } from '../../http/tls/local-ca.ts';
import { httpsClient } from '../../test/clients/https-client.ts';
import type { ServiceProcess } from '../../test/processes/waybridge-process.ts';
import { atMost, type BenchRow } from '../bench-row.ts';
import { benchService } from '../bench-service.ts';
import { cpuTime } from '../cpu-time.ts';
import { type CountingPipe, countingPipe } from '../duel/counting-pipe.ts';
import { LIMITS } from '../duel/limits.ts';
import { serverProcess } from '../duel/server-process.ts';
import { fleetIn } from './ingest-pace.ts';

/** The fleet that is measured: vehicles, devices in a request, and seconds between two positions. */
const FLEET = { vehicles: 50, batch: 50, everySeconds: 10 } as const;
/** Hours for which it makes drives of an hour, drives of a few minutes, and drives before, in which the code is compiled. */
const [LONG_HOURS, SHORT_HOURS, WARM_UP_HOURS] = [2, 2, 1];
/** Vehicles of the fleets that are computed. */
const FLEETS = [1000, 10_000, 100_000, 1_000_000];
/** Vehicles whose positions may take one core, of service and database together. */
const VEHICLES_A_CORE = 10_000;
/** Hours of driving a year of each vehicle, and its trips an hour. */
const [HOURS_A_YEAR, TRIPS_AN_HOUR] = [2000, 1];

/** Costs: commands, writes of documents, microseconds of CPU, bytes of the file, milliseconds of connections. */
const COSTS = ['commands', 'writes', 'service', 'database', 'bytes', 'connections'] as const;
type Costs = Readonly<Record<(typeof COSTS)[number], number>>;

/** Positions and trips of a fleet, and their costs. */
interface Sent {
  readonly positions: number;
  readonly trips: number;
  readonly costs: Costs;
}

/**
 * Measures what positions and trips cost the service and its database, each in a process of its own, by two fleets whose drives last an hour
 * and a few minutes, and multiplies it.
 */
export async function run(): Promise<BenchRow[]> {
  const { position, trip } = await measuredCosts();
  const positionsAnHour = 3600 / FLEET.everySeconds;
  const anHour = costsOf((cost) => position[cost] * positionsAnHour + trip[cost] * TRIPS_AN_HOUR);
  const words = ({ commands, writes, service, database, bytes }: Costs) =>
    `${commands.toFixed(2)} commands, ${writes.toFixed(2)} writes, ${service.toFixed(0)} + ${database.toFixed(0)} µs of CPU, ${bytes.toFixed(0)} bytes`;
  const measured = `a position: ${words(position)}; a trip besides: ${words(trip)}`;
  const why = 'each position updates the document of its device, by way of a socket to another process';
  return FLEETS.map((vehicles, at) => {
    const each = vehicles / 3600;
    const [service, database] = [(anHour.service * each) / 1e6, (anHour.database * each) / 1e6];
    const detail = [
      ...(at === 0 ? [measured] : []),
      `cores: ${service.toFixed(1)} of services, ${database.toFixed(1)} of databases`,
      `${(anHour.commands * each).toFixed(0)} commands and ${(anHour.writes * each).toFixed(0)} writes of documents a second`,
      `${((anHour.connections * each) / 1000).toFixed(1)} connections in use`,
      `${((vehicles * anHour.bytes * HOURS_A_YEAR) / 1e12).toFixed(2)} TB a year`,
    ];
    const what = `${vehicles} vehicles, ${HOURS_A_YEAR} hours and ${HOURS_A_YEAR * TRIPS_AN_HOUR} trips a year, a position each ${FLEET.everySeconds} s in batches of ${FLEET.batch}: cores, computed`;
    return atMost(what, service + database, vehicles / VEHICLES_A_CORE, detail.join('; '), why);
  });
}

function costsOf(cost: (name: keyof Costs) => number): Costs {
  return Object.fromEntries(COSTS.map((name) => [name, cost(name)])) as Record<keyof Costs, number>;
}

/** Costs of a position and of a trip, if all that two fleets have sent cost the same. */
function solved(one: Sent, other: Sent): { readonly position: Costs; readonly trip: Costs } {
  const divisor = one.positions * other.trips - other.positions * one.trips;
  const { costs: a } = one;
  const { costs: b } = other;
  return {
    position: costsOf((name) => (a[name] * other.trips - b[name] * one.trips) / divisor),
    trip: costsOf((name) => (b[name] * one.positions - a[name] * other.positions) / divisor),
  };
}

async function measuredCosts() {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const file = join(folder, 'database.db');
    const database = await serverProcess('duel/serve-database', [file]);
    ends.push(database.end);
    const pipe = await countingPipe(database.url);
    ends.push(pipe.close);
    const env = { MONGODB_URI: pipe.uri, DATA_DIR: folder, ...LIMITS };
    const { secret } = await fleetIn(env, FLEET.vehicles);
    await localCertificate(folder, ['localhost']);
    const service = await benchService(env);
    ends.push(() => service.end());
    const ca = await readFile(join(folder, 'tls/ca.pem'), 'utf8');
    const client = new IngestClient({ url: `${service.url}/api/v2/ingest`, secret, ca }, 1);
    ends.push(() => client.close());
    const measured = { service, ca, database: database.pid, pipe, file };
    const now = Math.floor(Date.now() / 3_600_000) * 3_600_000;
    const [toShort, toLong] = [now - SHORT_HOURS * 3_600_000, now - (SHORT_HOURS + LONG_HOURS) * 3_600_000];
    await send(client, longDrives(toLong - WARM_UP_HOURS * 3_600_000, WARM_UP_HOURS), measured);
    pipe.counts = true;
    const long = await send(client, longDrives(toLong, LONG_HOURS), measured);
    const forSeconds = SHORT_HOURS * 3600;
    const simulation = { ...FLEET, seed: 'capacity', faults: 'none', start: toShort, forSeconds } as const;
    return solved(long, await send(client, simulatedBatches(simulation), measured));
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

/** Drives of 50 minutes of each vehicle, one each hour, which begin one after another. */
function* longDrives(start: number, hours: number): Generator<Pick<Batch, 'devices'>> {
  const anHour = 3600 / FLEET.everySeconds;
  const last = anHour * (5 / 6);
  for (let at = 0; at < hours * anHour; at++) {
    const timestamp = new Date(start + at * FLEET.everySeconds * 1000).toISOString();
    const devices = Array.from({ length: FLEET.vehicles }, (_, number) => {
      const step = (at + Math.floor((number * anHour) / FLEET.vehicles)) % anHour;
      const point = { lat: 53 + number / 100, lon: 8 + 0.002 * step };
      const events = step === 0 ? ['engine_start'] : step === last ? ['engine_stop'] : [];
      const sent = { point, timestamp, speed: 30, heading: 90, events };
      return { serial: simulatedSerial(number + 1), points: step > last ? [] : [sent] };
    });
    yield { devices: devices.filter(({ points }) => points.length > 0) };
  }
}

/** Processes and files whose costs are read. */
interface Measured {
  readonly service: ServiceProcess;
  /** Certificate of its authority, as PEM. */
  readonly ca: string;
  /** Process of the database. */
  readonly database: number;
  readonly pipe: CountingPipe;
  readonly file: string;
}

/** Sends what a fleet records, request by request, and measures what that costs. */
async function send(
  client: IngestClient,
  batches: Iterable<Pick<Batch, 'devices'>>,
  measured: Measured,
): Promise<Sent> {
  const before = await costsSoFar(measured);
  let [positions, trips] = [0, 0];
  for (const { devices } of batches) {
    const points = devices.flatMap((device) => device.points);
    positions += points.length;
    trips += points.filter(({ events }) => events?.includes('engine_start')).length;
    await client.send({ batch: devices }, new AbortController().signal);
  }
  const after = await costsSoFar(measured);
  return { positions, trips, costs: costsOf((name) => after[name] - before[name]) };
}

async function costsSoFar(measured: Measured): Promise<Costs> {
  const { pipe, file, service, database } = measured;
  const cpu = { service: cpuTime(service.child.pid ?? 0), database: cpuTime(database) };
  const { commands, writes } = pipe;
  return { commands, writes, ...cpu, bytes: usedBytes(file), connections: await connectionMs(measured) };
}

/** Bytes of the pages of a database that are in use. */
function usedBytes(file: string): number {
  const database = findSqliteEngine().open(file, true);
  const sizes = 'pragma_page_count, pragma_freelist_count, pragma_page_size';
  const { bytes } = database
    .prepare(`SELECT (page_count - freelist_count) * page_size AS bytes FROM ${sizes}`)
    .get() as {
    readonly bytes: number;
  };
  database.close();
  return bytes;
}

/** Milliseconds for which commands have held connections so far. */
async function connectionMs({ service: { url }, ca }: Measured): Promise<number> {
  const { text } = await httpsClient(ca)(`${url}/metrics`);
  return 1000 * Number(/^waybridge_database_command_duration_seconds_sum (\S+)$/m.exec(text)?.[1]);
}
