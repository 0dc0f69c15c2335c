import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ServiceProcess } from '../test/processes/waybridge-process.ts';
import { atLeast, type BenchRow } from './bench-row.ts';
import { benchService, withService } from './bench-service.ts';
import { cpuTime, withChildren } from './cpu-time.ts';
import { type DuelRecords, duelRecords } from './duel/duel-records.ts';
import { LIMITS } from './duel/limits.ts';
import { HttpsLoad, type LoadRequest } from './https-load.ts';
import { median } from './times.ts';

const ROUNDS = 15;
/** Requests that each process has answered before it is measured, so that V8 has compiled as much of each. */
const WARM_UP = 3000;
const FLOOR = 0.9;
/** Requests of each measurement, and how many are under way at a process. */
const COUNT = 960;
const CONCURRENCY = 8;

/** A service, the client that asks it, and its processes. */
interface Server {
  readonly service: ServiceProcess;
  readonly load: HttpsLoad;
  readonly pids: readonly number[];
  /** Processes that answer. */
  readonly workers: number;
}

/**
 * Measures requests a CPU-second of two services on the same data, and of one with two workers, against those of one process.
 * The database is in them, or that of `MONGODB_URI`, whose CPU time does not count.
 */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  const { MONGODB_URI } = process.env;
  const database = MONGODB_URI === undefined ? {} : { MONGODB_URI };
  const env = { DATA_DIR: folder, AUTH_URL: 'https://localhost', ...database, ...LIMITS };
  const servers: Server[] = [];
  try {
    const records = await withService(env, duelRecords);
    for (const workers of [1, 1, 2]) servers.push(await startServer(env, workers));
    const [first, second, clustered] = servers as [Server, Server, Server];
    const rows: BenchRow[] = [];
    for (const [what, request] of Object.entries(requestsOf(records))) {
      for (const server of servers) await askEach(server, request, WARM_UP);
      rows.push(
        await scaleRow(`${what}: requests of two processes, to those of one`, {
          request,
          one: (round) => ({ measured: [first, second], asked: [round % 2 === 0 ? first : second] }),
          two: { measured: [first, second], asked: [first, second] },
        }),
      );
      rows.push(
        await scaleRow(`${what}: requests of two workers, to those of one process`, {
          request,
          one: () => ({ measured: [first], asked: [first] }),
          two: { measured: [clustered], asked: [clustered] },
        }),
      );
    }
    return rows;
  } finally {
    for (const { service, load } of servers) await Promise.all([service.end(), load.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

type AnyRequest = Omit<LoadRequest, 'url' | 'count' | 'concurrency'> & { readonly path: string };

function requestsOf({ fleet, other }: DuelRecords): Readonly<Record<string, AnyRequest>> {
  const headers = { 'content-type': 'application/json', 'service-api-key': other.apiKey };
  return {
    'GET /device/{key}': {
      ...{ path: `/api/v2/device/${fleet.deviceKey}`, method: 'GET', body: '' },
      headers: { 'service-api-key': fleet.apiKey },
    },
    'POST /groups': { path: '/api/v2/groups', method: 'POST', body: '{"name":"Night shift"}', headers, status: 201 },
  };
}

async function startServer(env: Readonly<Record<string, string>>, workers: number): Promise<Server> {
  const service = await benchService({ ...env, WORKERS: String(workers) });
  return { service, load: new HttpsLoad(), pids: withChildren(service.child.pid ?? 0), workers };
}

/** Services that are asked, and those whose CPU time counts. */
interface Load {
  readonly measured: readonly Server[];
  readonly asked: readonly Server[];
}

interface Scaling {
  readonly request: AnyRequest;
  readonly one: (round: number) => Load;
  readonly two: Load;
}

async function scaleRow(what: string, scaling: Scaling): Promise<BenchRow> {
  const rounds: { readonly one: number; readonly two: number }[] = [];
  for (let number = 1; number <= ROUNDS; number++) {
    const one = await requestsPerCpuSecond(scaling.one(number), scaling.request);
    const two = await requestsPerCpuSecond(scaling.two, scaling.request);
    rounds.push({ one, two });
    process.stderr.write(`  round ${number} of ${what}: ${two.toFixed(0)} to ${one.toFixed(0)} a CPU-second\n`);
  }
  const ratios = rounds.map(({ one, two }) => two / one);
  const [one, two] = [median(rounds.map((round) => round.one)), median(rounds.map((round) => round.two))];
  const scatter = `rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  return atLeast(what, median(ratios), FLOOR, `${two.toFixed(0)} to ${one.toFixed(0)} a CPU-second; ${scatter}`);
}

/** Lets some services answer; what the others do meanwhile counts too. */
async function requestsPerCpuSecond({ measured, asked }: Load, request: AnyRequest): Promise<number> {
  const before = cpuOf(measured);
  const counts = await Promise.all(asked.map((server) => askEach(server, request, COUNT / asked.length)));
  return (counts.reduce((sum, count) => sum + count, 0) / (cpuOf(measured) - before)) * 1_000_000;
}

/** Sends requests to a service, so many to each of its processes; returns their number. */
async function askEach({ load, service, workers }: Server, request: AnyRequest, each: number): Promise<number> {
  const { path, ...rest } = request;
  const count = each * workers;
  await load.send({ ...rest, count, concurrency: CONCURRENCY * workers, url: service.url + path });
  return count;
}

function cpuOf(servers: readonly Server[]): number {
  return servers.flatMap(({ pids }) => pids.map(cpuTime)).reduce((sum, one) => sum + one, 0);
}
