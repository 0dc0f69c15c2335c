import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

import type { BenchRow } from './bench-row.ts';
import { CPU_PARTS } from './duel/cpu-parts.ts';

/** Page of results, seen from `build/bench`. */
const PAGE = join(import.meta.dirname, '../../docs/performance.md');

const INTRODUCTION = `# Performance

Ratios of the service to a named baseline or peer. A peer does the same look-ups and gives the same answers; its code is in
\`bench/contenders\`. Ratios of one machine can be compared with those of another, times cannot.

\`npm run bench -- NAME --write\` measures a bench and rewrites its section here; nothing in this file is written by hand.
`;

/** Rows that the beginning of the page quotes: bench, beginning of the row's name, and what it is about. */
const QUOTED = [
  ['rest', 'GET /device/{key}', 'One record by REST'],
  ['rest', 'GET /devices of 50', 'A page of 50 by REST'],
  ['graphql', '50 devices by a trusted document', 'The same by GraphQL'],
  ['tokens', 'a special-purpose token', 'A token for a map'],
  ['trips', 'CPU of a day', 'A day of 20 trips for a map, not cached'],
  ['ingest', 'ingest of 1 position', 'A position of a device'],
  ['ingest', '10000 vehicles, a position each 10 s, in batches of 50: cores', 'A fleet of 10,000'],
  ['start', 'MB of memory', 'Memory of an idle service'],
] as const;
/** Number of bounds that the beginning of the page names as not kept, the worst first. */
const LOST = 3;

/** Results of a bench, with what it compares. */
export interface BenchResult {
  readonly about: string;
  readonly rows: readonly BenchRow[];
}

/** Puts results into `docs/performance.md`, in the order of all names; sections of benches that did not run stay. */
export function writePerformancePage(results: Readonly<Record<string, BenchResult>>, names: readonly string[]): void {
  const sections = new Map(readSections());
  for (const [name, result] of Object.entries(results)) sections.set(name, sectionOf(name, result));
  const known = names.filter((name) => sections.has(name));
  const text = known.map((name) => sections.get(name) ?? '');
  writeFileSync(
    PAGE,
    [INTRODUCTION, summaryOf(known.flatMap((name) => rowsOf(name, sections.get(name)))), ...text].join('\n'),
  );
}

/** A row of a section, as it was written. */
interface WrittenRow {
  readonly bench: string;
  readonly what: string;
  readonly ratio: number;
  readonly bound: number;
  readonly isFloor: boolean;
  readonly isKept: boolean;
  readonly measured: string;
}

function rowsOf(bench: string, section = ''): WrittenRow[] {
  return [...section.matchAll(/^\| (.+?) \| ([\d.]+) \| ([≤≥]) ([\d.]+) \| (yes|\*\*no\*\*.*?) \| (.+?) \|$/gm)].map(
    ([, what = '', ratio, sign, bound, kept, measured = '']) => ({
      ...{
        bench,
        what,
        measured,
        ratio: Number(ratio),
        bound: Number(bound),
        isFloor: sign === '≥',
        isKept: kept === 'yes',
      },
    }),
  );
}

/** The lines for a reader who wants to know what a core can do, what it costs, and where the service loses. */
function summaryOf(rows: readonly WrittenRow[]): string {
  const quoted = QUOTED.flatMap(([bench, start, about]) => {
    const row = rows.find((one) => one.bench === bench && one.what.startsWith(start));
    return row ? [`- ${about}: ${row.ratio.toFixed(2)} (${row.what}; ${row.measured})`] : [];
  });
  const excess = ({ ratio, bound, isFloor }: WrittenRow) => (isFloor ? bound / ratio : ratio / bound);
  const lost = rows.filter(({ isKept }) => !isKept).sort((a, b) => excess(b) - excess(a));
  const worst = lost
    .slice(0, LOST)
    .map(({ what, ratio, bound }) => `${what} (${ratio.toFixed(2)} instead of ${bound})`);
  const kept = `- Where it loses: ${lost.length} of ${rows.length} bounds are not kept, worst of all ${worst.join('; ')}`;
  return [...quoted, lost.length === 0 ? `- All ${rows.length} bounds are kept` : kept, ''].join('\n');
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
      ({ what, ratio, bound, holds, detail, why }) =>
        `| ${what} | ${ratio.toFixed(2)} | ${bound.replace('<=', '≤').replace('>=', '≥')} | ${keptCell(holds, why)} | ${detail} |`,
    ),
    '',
    ...partsTable(rows),
  ].join('\n');
}

function keptCell(holds: boolean, why: string | undefined): string {
  if (holds) return 'yes';
  return why === undefined ? '**no**' : `**no**: ${why}`;
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
