import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

import type { BenchRow } from './bench-row.ts';
import { CPU_PARTS } from './duel/cpu-parts.ts';

/** Page of results, seen from `build/bench`. */
const PAGE = join(import.meta.dirname, '../../docs/performance.md');

const INTRODUCTION = `# Performance

Ratios of the service to a named baseline or peer. A peer does the same look-ups and gives the same answers; its code is in
\`bench/contenders\`. CPU is that of the server process alone. Ratios of one machine can be compared with those of another,
times cannot.

\`npm run bench -- NAME --write\` measures a bench and rewrites its section here; nothing in this file is written by hand.
`;

/** Results of a bench, with what it compares. */
export interface BenchResult {
  readonly about: string;
  readonly rows: readonly BenchRow[];
}

/** Puts results into `docs/performance.md`, in the order of all names; sections of benches that did not run stay. */
export function writePerformancePage(results: Readonly<Record<string, BenchResult>>, names: readonly string[]): void {
  const sections = new Map(readSections());
  for (const [name, result] of Object.entries(results)) sections.set(name, sectionOf(name, result));
  const text = names.map((name) => sections.get(name)).filter((section) => section !== undefined);
  writeFileSync(PAGE, [INTRODUCTION, ...text].join('\n'));
}

function readSections(): [name: string, section: string][] {
  let text = '';
  try {
    text = readFileSync(PAGE, 'utf8');
  } catch {
    // The first results make the file.
  }
  const [, ...sections] = text.split(/^(?=## )/m);
  return sections.map((section) => [/^## (\S+)/.exec(section)?.[1] ?? '', `${section.trimEnd()}\n`]);
}

function sectionOf(name: string, { about, rows }: BenchResult): string {
  const missed = rows.filter(({ holds }) => !holds).length;
  const reached = missed === 0 ? 'All bounds are kept.' : `${missed} of ${rows.length} bounds are not kept yet.`;
  return [
    `## ${name}`,
    '',
    `${about[0]?.toUpperCase()}${about.slice(1)}.`,
    '',
    `Measured with Node.js ${process.version} on ${machine()}. ${reached}`,
    '',
    '| work | ratio | bound | kept | measured |',
    '|---|---|---|---|---|',
    ...rows.map(
      ({ what, ratio, bound, holds, detail }) =>
        `| ${what} | ${ratio.toFixed(2)} | ${bound.replace('<=', '≤').replace('>=', '≥')} | ${holds ? 'yes' : '**no**'} | ${detail} |`,
    ),
    '',
    ...partsTable(rows),
  ].join('\n');
}

/** Table of CPU times by part, by a profile of both servers after they were measured. */
function partsTable(rows: readonly BenchRow[]): string[] {
  const profiled = rows.filter(({ parts }) => parts !== undefined);
  if (profiled.length === 0) return [];
  return [
    'CPU time of a request by a profile of each server, ours to theirs, in µs:',
    '',
    `| work | ${CPU_PARTS.join(' | ')} |`,
    `|---|${'---|'.repeat(CPU_PARTS.length)}`,
    ...profiled.map(({ what, parts }) => {
      const cells = CPU_PARTS.map((part) => `${parts?.ours[part].toFixed(0)} to ${parts?.theirs[part].toFixed(0)}`);
      return `| ${what} | ${cells.join(' | ')} |`;
    }),
    '',
  ];
}

/** Cores, processor and load of this machine. */
function machine(): string {
  const [cpu] = cpus();
  const load = loadavg()[0] ?? 0;
  return `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}) under a load of ${load.toFixed(1)}`;
}
