import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { Random } from '../../server/demo/random.ts';
import { spawnWaybridge } from '../../test/processes/waybridge-process.ts';
import { atMost, type BenchRow } from '../bench-row.ts';
import { cpuTime, residentMemory } from '../cpu-time.ts';

const POSTS = 10_000;
const WORDS = 350;
const VOCABULARY = 40_000;
const LOOK_MS = 50;
const MAX_CPU_SECONDS = 62;
const MAX_MEGABYTES = 200;

/** Seconds of CPU of a command, and the most memory that it held, in MB. */
interface Command {
  readonly cpu: number;
  readonly megabytes: number;
}

/** Imports a website of 10,000 generated posts by the command. */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  try {
    const file = join(folder, 'content.json');
    await generate(file);
    const imported = await measure(['content', 'import', file, '--replace'], folder);
    const what = `an import of ${POSTS} posts of ${WORDS} words`;
    return [
      atMost(
        `CPU of ${what}, to ${MAX_CPU_SECONDS} s`,
        imported.cpu / MAX_CPU_SECONDS,
        1,
        `${imported.cpu.toFixed(0)} s`,
      ),
      atMost(
        `memory of ${what}, to ${MAX_MEGABYTES} MB`,
        imported.megabytes / MAX_MEGABYTES,
        1,
        `${imported.megabytes.toFixed(0)} MB`,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(args: readonly string[], folder: string): Promise<Command> {
  const child = spawnWaybridge(args, { DATA_DIR: join(folder, 'data') });
  const ended = once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`waybridge ${args.join(' ')} ended with ${code}`);
    return true;
  });
  const pid = child.pid ?? 0;
  let [cpu, kilobytes] = [0, 0];
  while (!(await Promise.race([ended, setTimeout(LOOK_MS, false)]))) {
    cpu = Math.max(cpu, cpuTime(pid));
    kilobytes = Math.max(kilobytes, residentMemory(pid) || 0);
  }
  return { cpu: cpu / 1e6, megabytes: kilobytes / 1024 };
}

/** Writes posts of words that are as frequent as those of a language, the same each time. */
async function generate(file: string): Promise<void> {
  const stream = createWriteStream(file);
  const random = new Random('words');
  const word = (): string => `w${Math.floor(VOCABULARY ** random.next()).toString(36)}x`;
  const text = (count: number): string => Array.from({ length: count }, word).join(' ');
  const date = '2026-03-01T12:00:00';
  const dates = { date, date_gmt: date, modified: date, modified_gmt: date };
  const user = { id: 1, username: 'ada', slug: 'ada', email: 'ada@example.com', roles: ['administrator'] };
  stream.write(`{"base_url":"https://old.example","users":[${JSON.stringify(user)}],"posts":[`);
  for (let id = 1; id <= POSTS; id += 1) {
    const [title, content] = [text(6), Array.from({ length: 5 }, () => text(WORDS / 5)).join('\n\n')];
    const post = { id, ...dates, slug: `post-${id}`, status: 'publish', title, content, author: 1 };
    if (!stream.write(`${id === 1 ? '' : ','}\n${JSON.stringify(post)}`)) await once(stream, 'drain');
  }
  stream.end(']}');
  await once(stream, 'finish');
}
