import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { dirname, join } from 'node:path';

import type { Reporter, TestModule } from 'vitest/node';

import { secondsOf } from './summary-reporter.ts';

const REPORT = join(import.meta.dirname, 'times.md');
/** Files that took less, in seconds, are in the sums of their folders only. */
const MIN_SECONDS = 10;

/** Writes where the time of a run went, by folder and by file, to `test/times.md` (`npm run test:times`). */
export default class TimesReporter implements Reporter {
  readonly #begin = performance.now();

  onTestRunEnd(modules: readonly TestModule[]): void {
    const minutes = ((performance.now() - this.#begin) / 60_000).toFixed(1);
    const files = modules.map((module) => ({ name: module.relativeModuleId, seconds: secondsOf(module) }));
    const folders = new Map<string, number>();
    for (const { name, seconds } of files) folders.set(dirname(name), (folders.get(dirname(name)) ?? 0) + seconds);
    const slow = files.filter(({ seconds }) => seconds >= MIN_SECONDS);
    const text = [
      `# Where the time of the tests goes\n`,
      `Written by \`npm run test:times\`. ${files.length} files took ${minutes} minutes on ${availableParallelism()} cores (${cpus()[0]?.model}).`,
      `Seconds are those of the workers, of which several share the cores.\n`,
      table('folder', [...folders]),
      `Files of ${MIN_SECONDS} seconds and more:\n`,
      table(
        'file',
        slow.map(({ name, seconds }) => [name, seconds]),
      ),
    ];
    writeFileSync(REPORT, text.join('\n'));
  }
}

/** Rows by their seconds, the greatest first. */
function table(name: string, rows: readonly (readonly [string, number])[]): string {
  const sorted = rows.toSorted(([, one], [, other]) => other - one);
  const lines = sorted.map(([row, seconds]) => `| \`${row}\` | ${seconds.toFixed(1)} |`);
  return `| ${name} | seconds |\n|---|---:|\n${lines.join('\n')}\n`;
}
