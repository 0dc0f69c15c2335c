import { type CampaignReport, holds } from './campaign.ts';
import type { Failure } from './tally.ts';

const COLUMNS = ['2xx', '3xx', '4xx', '429', '503', '5xx', 'none'];
const NAME_WIDTH = 18;
const WIDTH = 8;
const MEGABYTE = 2 ** 20;

/** The report for people: endpoints by answers, slowest, heap, and what is wrong. */
export function formatReport(report: CampaignReport): string {
  const { limits, requests, seconds, seed, endpoints, heap, failures, failureCount, findings } = report;
  const lines = [
    `${requests} requests with limits ${limits}, seed ${seed}, ${seconds} s`,
    row('endpoint', [...COLUMNS, 'slowest', '--only']),
    ...Object.entries(endpoints)
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, { answers, slowestMs, slowest }]) => {
        return row(name, [
          ...COLUMNS.map((column) => String(answers[column] ?? 0)),
          `${slowestMs} ms`,
          String(slowest),
        ]);
      }),
  ];
  const sum = (column: string) =>
    Object.values(endpoints).reduce((total, { answers }) => total + (answers[column] ?? 0), 0);
  lines.push(
    row(
      'all',
      COLUMNS.map((column) => String(sum(column))),
    ),
  );
  if (failureCount === 0 && sum('5xx') > 0) {
    lines.push('5xx: refusals of the content interface that its reference, WordPress, words so');
  }
  if (heap !== null) {
    const shown = Object.keys(heap.after).map((thread) => {
      return `${thread} ${megabytes(heap.before[thread])} to ${megabytes(heap.after[thread])}`;
    });
    lines.push(`heap after collection: ${shown.join(', ')}; ratio ${heap.ratio.toFixed(3)}`);
  }
  lines.push(...failures.map(formatFailure));
  if (failureCount > failures.length) lines.push(`and ${failureCount - failures.length} more failures`);
  lines.push(...findings);
  lines.push(holds(report) ? 'holds' : `FAILS: ${failureCount} requests, ${findings.length} other findings`);
  return lines.join('\n');
}

function formatFailure({ number, endpoint, caller, why, milliseconds, request }: Failure): string {
  return `--only ${number} (${endpoint}, ${caller}, ${milliseconds} ms): ${why}\n  ${request}`;
}

function row(name: string, cells: readonly string[]): string {
  return (
    name.padEnd(NAME_WIDTH) + cells.map((cell) => cell.padStart(/ms$|slowest/.test(cell) ? WIDTH + 3 : WIDTH)).join('')
  );
}

function megabytes(bytes = 0): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
