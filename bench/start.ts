import 'reflect-metadata';

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { databaseFile } from '../server/database/data-folder.ts';
import { freePort } from '../server/start/free-port.ts';
import { readyService, serveProcess, spawnWaybridge } from '../test/processes/waybridge-process.ts';
import { atMost, type BenchRow } from './bench-row.ts';
import { benchService, withService } from './bench-service.ts';
import { cpuTime, residentMemory } from './cpu-time.ts';
import { LIMITS } from './duel/limits.ts';
import { serverProcess } from './duel/server-process.ts';
import { HttpsLoad } from './https-load.ts';
import { productionMegabytes } from './production-packages.ts';
import { median } from './times.ts';
import { benchFleet } from './waits/fleet-records.ts';

const ROUNDS = 5;
/** Time after which an idle service has released the memory of its start. */
const IDLE_MS = 20_000;
/** Clock ticks a second in `/proc/PID/stat`. */
const TICKS = 100;
const CPU_CEILING = 1.5;
const RSS_CEILING = 150;
const PACKAGES_CEILING = 150;
const FIRST_CEILING = 3;
const IDLE_CPU_CEILING = 2;
const LOADED_CEILING = 220;
/** Requests of a load: groups that are created, and lists of 50 devices. */
const LOAD = { writes: 2000, reads: 8000 };

/** Seconds of a first start until it answered and until its demonstration was written, and of its CPU when it answered. */
interface FirstStart {
  readonly answers: number;
  readonly whole: number;
  readonly cpu: number;
}

/** Seconds of CPU of all threads of a process until it was ready, and the memory that it held when idle, in MB. */
interface Start {
  readonly cpu: number;
  readonly rss: number;
}

/** Measures first starts, starts on existing data beside those of a contender, and the packages that a service needs. */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  try {
    const first: FirstStart[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      rmSync(folder, { recursive: true, force: true });
      first.push(await firstStart(folder));
      process.stderr.write(`  first start ${round}: ${JSON.stringify(first.at(-1))}\n`);
    }
    const [ours, theirs]: [Start[], Start[]] = [[], []];
    for (let round = 1; round <= ROUNDS; round++) {
      ours.push(await ourStart(folder));
      theirs.push(await theirStart(folder));
      process.stderr.write(`  round ${round}: ${ours.at(-1)?.cpu} s to ${theirs.at(-1)?.cpu} s\n`);
    }
    const cpu = (starts: readonly Start[]) => median(starts.map((start) => start.cpu));
    const rss = (starts: readonly Start[]) => median(starts.map((start) => start.rss));
    const { idleCpu, loaded, idleAgain } = await restAndLoad(folder);
    const packages = productionMegabytes();
    const of = (field: keyof FirstStart) => median(first.map((start) => start[field]));
    const detail = `${of('cpu').toFixed(2)} s of CPU; with its demonstration after ${of('whole').toFixed(2)} s`;
    return [
      atMost('seconds until a first start answers', of('answers'), FIRST_CEILING, detail),
      atMost('seconds of CPU until ready, on existing data', cpu(ours), CPU_CEILING, `by hand ${cpu(theirs)}`),
      atMost('MB of memory when idle', rss(ours), RSS_CEILING, `by hand ${rss(theirs)}`),
      atMost('ms of CPU a second when idle', idleCpu, IDLE_CPU_CEILING, 'of service and database'),
      atMost(
        'MB of memory after a load',
        idleAgain,
        LOADED_CEILING,
        `idle again after ${LOAD.writes + LOAD.reads} requests; at their end ${loaded}`,
      ),
      atMost('MB of packages in production', packages, PACKAGES_CEILING, 'blocks on disk'),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function firstStart(folder: string): Promise<FirstStart> {
  const PORT = String(await freePort('127.0.0.1', 0));
  const begin = performance.now();
  const since = () => (performance.now() - begin) / 1000;
  const child = spawnWaybridge(['serve'], { DATA_DIR: folder, LOG_LEVEL: 'warn', PORT });
  const whole = readyService(child, { DATA_DIR: folder });
  while (!(await isHealthy(PORT))) await setTimeout(10);
  const [answers, cpu] = [since(), cpuSeconds(child)];
  const service = await whole;
  const seconds = since();
  await service.end();
  return { answers, whole: seconds, cpu };
}

/** Asks a service for its health; it may not listen yet. */
async function isHealthy(port: string): Promise<boolean> {
  const request = get({ port, path: '/healthz', rejectUnauthorized: false, agent: false });
  return once(request, 'response').then(
    ([response]: { statusCode: number; resume(): void }[]) => {
      response?.resume();
      return response?.statusCode === 200;
    },
    () => false,
  );
}

async function ourStart(folder: string): Promise<Start> {
  const service = await serveProcess({ DATA_DIR: folder, LOG_LEVEL: 'warn' });
  return measured(service.child, () => service.end());
}

async function theirStart(folder: string): Promise<Start> {
  const contender = await serverProcess('contenders/start', [databaseFile(folder), folder], { NODE_ENV: 'production' });
  return measured(contender, contender.end);
}

/** Measures a process that has just become ready, and ends it. */
async function measured(child: { readonly pid?: number | undefined }, end: () => Promise<unknown>): Promise<Start> {
  const cpu = cpuSeconds(child);
  await setTimeout(IDLE_MS);
  const rss = Math.round(residentMemory(child.pid ?? 0) / 1024);
  await end();
  return { cpu, rss };
}

/** Measures a service without a demonstration: CPU a second when idle, in ms, and memory at the end of a load and after it, in MB. */
async function restAndLoad(folder: string) {
  const env = { DATA_DIR: join(folder, 'load'), ...LIMITS };
  const size = { devices: 200, groups: 10, vehicles: 100, users: 10, subscriptions: 5 };
  const { apiKey } = await withService(env, (service) => benchFleet(service, size));
  const service = await benchService(env);
  const load = new HttpsLoad();
  const pid = service.child.pid ?? 0;
  const megabytes = () => Math.round(residentMemory(pid) / 1024);
  try {
    // Garbage of the start is collected, in other threads too.
    await setTimeout(2 * IDLE_MS);
    const before = cpuTime(pid);
    await setTimeout(2 * IDLE_MS);
    const idleCpu = (cpuTime(pid) - before) / (2 * IDLE_MS);
    const headers = { 'content-type': 'application/json', 'service-api-key': apiKey };
    const common = { headers, concurrency: 16 };
    const post = { method: 'POST', body: '{"name":"Night shift"}', count: LOAD.writes, status: 201 } as const;
    await load.send({ ...common, ...post, url: `${service.url}/api/v2/groups` });
    await load.send({ ...common, method: 'GET', body: '', count: LOAD.reads, url: `${service.url}/api/v2/devices` });
    const loaded = megabytes();
    await setTimeout(2 * IDLE_MS);
    return { idleCpu, loaded, idleAgain: megabytes() };
  } finally {
    await Promise.all([service.end(), load.close()]);
  }
}

/** CPU of all threads of a process, and of those that it has started and waited for, in seconds. */
function cpuSeconds({ pid }: { readonly pid?: number | undefined }): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}
