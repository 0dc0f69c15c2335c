import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { databaseFile } from '../server/database/data-folder.ts';
import { serveProcess } from '../test/services/waybridge-process.ts';
import { atMost, type BenchRow } from './bench-row.ts';
import { productionMegabytes } from './production-packages.ts';
import { median } from './times.ts';

const ROUNDS = 5;
/** Time after which an idle service has released the memory of its start. */
const IDLE_MS = 20_000;
/** Clock ticks a second in `/proc/PID/stat`. */
const TICKS = 100;
const CPU_CEILING = 1.5;
const RSS_CEILING = 150;
const PACKAGES_CEILING = 150;

/** Seconds of CPU of all threads of a process until it was ready, and the memory that it held when idle, in MB. */
interface Start {
  readonly cpu: number;
  readonly rss: number;
}

/** Measures starts on existing data beside those of a contender, and the packages that a service needs. */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  try {
    await (await serveProcess({ DATA_DIR: folder, LOG_LEVEL: 'warn' })).end();
    const [ours, theirs]: [Start[], Start[]] = [[], []];
    for (let round = 1; round <= ROUNDS; round++) {
      ours.push(await ourStart(folder));
      theirs.push(await theirStart(folder));
      process.stderr.write(`  round ${round}: ${ours.at(-1)?.cpu} s to ${theirs.at(-1)?.cpu} s\n`);
    }
    const cpu = (starts: readonly Start[]) => median(starts.map((start) => start.cpu));
    const rss = (starts: readonly Start[]) => median(starts.map((start) => start.rss));
    const packages = productionMegabytes();
    return [
      atMost('seconds of CPU until ready, on existing data', cpu(ours), CPU_CEILING, `by hand ${cpu(theirs)}`),
      atMost('MB of memory when idle', rss(ours), RSS_CEILING, `by hand ${rss(theirs)}`),
      atMost('MB of packages in production', packages, PACKAGES_CEILING, 'blocks on disk'),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ourStart(folder: string): Promise<Start> {
  const service = await serveProcess({ DATA_DIR: folder, LOG_LEVEL: 'warn' });
  return measured(service.child, () => service.end());
}

async function theirStart(folder: string): Promise<Start> {
  const contender = new URL('./contenders/start.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [contender, databaseFile(folder), folder], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return measured(child, async () => {
    const ended = once(child, 'close');
    child.kill();
    await ended;
  });
}

/** Measures a process that has just become ready, and ends it. */
async function measured(child: ChildProcess, end: () => Promise<unknown>): Promise<Start> {
  const cpu = cpuSeconds(child);
  await setTimeout(IDLE_MS);
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const rss = Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
  await end();
  return { cpu, rss };
}

/** CPU of all threads of a process, and of those that it has started and waited for, in seconds. */
function cpuSeconds({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}
