import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readConfig } from '../server/configuration/config.ts';
import { openDatabase } from '../server/database/database.ts';
import { type ServiceProcess, serveProcess } from '../test/services/waybridge-process.ts';
import { atLeast, type BenchRow } from './bench-row.ts';
import { cpuTime } from './cpu-time.ts';
import { type DuelRecords, duelRecords } from './duel/duel-records.ts';
import { LIMITS } from './duel/limits.ts';
import { HttpsLoad, type LoadRequest } from './https-load.ts';
import { median } from './times.ts';

const ROUNDS = 15;
const WARM_UPS = 5;
const FLOOR = 0.9;
/** Requests of each measurement, and how many are under way at a process. */
const COUNT = 240;
const CONCURRENCY = 8;

/** A process of the service, and the client that asks it. */
interface Server {
  readonly service: ServiceProcess;
  readonly load: HttpsLoad;
}

/** Measures requests a CPU-second of two processes on the same data against those of one; the database is in them. */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  const env = { DATA_DIR: folder, AUTH_URL: 'https://localhost', LOG_LEVEL: 'warn', ...LIMITS };
  const servers: Server[] = [];
  try {
    const database = await openDatabase(readConfig(env), true);
    const records = await duelRecords().finally(() => database.close());
    for (let number = 0; number < 2; number++) {
      const service = await serveProcess(env, '--no-demo');
      // Nothing else ends it if this process ends early.
      process.once('exit', () => service.child.kill('SIGKILL'));
      servers.push({ service, load: new HttpsLoad() });
    }
    const rows: BenchRow[] = [];
    for (const [what, request] of Object.entries(requestsOf(records)))
      rows.push(await scaleRow(what, servers, request));
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

async function scaleRow(what: string, servers: readonly Server[], request: AnyRequest): Promise<BenchRow> {
  const rounds: { readonly one: number; readonly two: number }[] = [];
  for (let number = 1 - WARM_UPS; number <= ROUNDS; number++) {
    // Each is the one by turns.
    const alone = servers[Math.abs(number) % servers.length];
    const one = await requestsPerCpuSecond(servers, alone ? [alone] : [], request);
    const two = await requestsPerCpuSecond(servers, servers, request);
    if (number > 0) rounds.push({ one, two });
    process.stderr.write(`  round ${number} of ${what}: ${two.toFixed(0)} to ${one.toFixed(0)} a CPU-second\n`);
  }
  const ratios = rounds.map(({ one, two }) => two / one);
  const [one, two] = [median(rounds.map((round) => round.one)), median(rounds.map((round) => round.two))];
  const scatter = `rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const detail = `${two.toFixed(0)} to ${one.toFixed(0)} a CPU-second; ${scatter}`;
  return atLeast(`${what}: requests of two processes, to those of one`, median(ratios), FLOOR, detail);
}

/** Lets some of the servers answer; what the others do meanwhile counts too. */
async function requestsPerCpuSecond(
  servers: readonly Server[],
  asked: readonly Server[],
  request: AnyRequest,
): Promise<number> {
  const { path, ...rest } = request;
  const before = cpuOf(servers);
  const count = COUNT / asked.length;
  const load = { ...rest, count, concurrency: CONCURRENCY };
  await Promise.all(asked.map((server) => server.load.send({ ...load, url: server.service.url + path })));
  return (COUNT / (cpuOf(servers) - before)) * 1_000_000;
}

function cpuOf(servers: readonly Server[]): number {
  return servers.reduce((sum, { service }) => sum + cpuTime(service.child.pid ?? 0), 0);
}
