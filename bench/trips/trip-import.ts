import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { atMost } from '../bench-row.ts';
import type { BenchRow } from '../bench-row.ts';

const MEGABYTE = 1_000_000;
const VEHICLES = 1000;
const POSITIONS_A_TRIP = 500;
const INTERVAL_MS = 5000;
const PAUSE_MS = 3_600_000;

/** Maximum ratio of the duration of an import to that of reading the file alone. */
const MAX_TIMES_PARSING = 3;
/** Maximum ratio of the memory for a file to that for a tenth of it: room for garbage collection, none for growth with the file. */
const MAX_TIMES_MEMORY = 1.5;

/** Measurements of the separate process. */
interface Measured {
  readonly seconds: number;
  readonly peak_megabytes: number;
  readonly points: number;
}

/**
 * Imports a generated file of NDJSON, positions of a thousand vehicles in the order of time, and one of a tenth of its
 * size, each in a process of its own.
 */
export async function run(megabytes: number): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  try {
    const [small, large] = [join(folder, 'small.ndjson'), join(folder, 'large.ndjson')];
    await generate(small, (megabytes / 10) * MEGABYTE);
    await generate(large, megabytes * MEGABYTE);
    const ofSmall = await measure('import', small, join(folder, 'small'));
    const ofLarge = await measure('import', large, join(folder, 'large'));
    const parsing = await measure('parse', large, folder);
    const words = (value: number, unit: string) => `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
    return [
      atMost(
        `importing ${megabytes} MB of NDJSON, ${ofLarge.points} positions, to parsing it`,
        ofLarge.seconds / parsing.seconds,
        MAX_TIMES_PARSING,
        `${words(ofLarge.seconds, 's')} to ${words(parsing.seconds, 's')}`,
      ),
      atMost(
        `peak memory at ${megabytes} MB to that at ${megabytes / 10} MB`,
        ofLarge.peak_megabytes / ofSmall.peak_megabytes,
        MAX_TIMES_MEMORY,
        `${words(ofLarge.peak_megabytes, 'MB')} to ${words(ofSmall.peak_megabytes, 'MB')}`,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(what: 'import' | 'parse', file: string, dataFolder: string): Promise<Measured> {
  const script = join(import.meta.dirname, 'trip-import-process.js');
  const { stdout } = await promisify(execFile)(process.execPath, [script, what, file, dataFolder]);
  return JSON.parse(stdout);
}

/** Writes trips of 500 positions, a vehicle's separated by pauses of an hour, all vehicles driving at once. */
async function generate(file: string, bytes: number): Promise<void> {
  const out = createWriteStream(file);
  const start = Date.UTC(2026, 0, 1);
  for (let step = 0, written = 0; written < bytes; step++) {
    const time = start + step * INTERVAL_MS + Math.floor(step / POSITIONS_A_TRIP) * PAUSE_MS;
    let lines = '';
    for (let vehicle = 0; vehicle < VEHICLES; vehicle++) {
      const angle = step / 300 + vehicle;
      lines += `${JSON.stringify({
        vehicle: `bench-${vehicle}`,
        time: new Date(time + vehicle).toISOString(),
        lat: Number((40 + vehicle / 100 + Math.sin(angle) / 50).toFixed(6)),
        lon: Number((10 + Math.cos(angle * 1.3) / 50 + ((step * 7919) % 13) / 1e6).toFixed(6)),
        speed: Number((12 + 5 * Math.sin(angle * 7)).toFixed(1)),
        heading: (Math.round(((angle * 57.3) % 360) * 10) / 10) % 360,
      })}\n`;
    }
    written += lines.length;
    if (!out.write(lines)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
}
