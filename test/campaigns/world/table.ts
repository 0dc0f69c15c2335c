import type { Row } from './campaign.ts';
import { sumOf } from './score.ts';

/** The least part of trips, starts, ends and distances that must be right. */
const LEAST_PART = 0.98;

/** The rows as a Markdown table: precision and recall of starts and ends, right distances, and untrue notifications. */
export function tableOf(rows: readonly Row[]): string {
  const all = { device: 'all', within: '', ...sumOf(rows) };
  return [
    '| device | trips | found | within | starts: precision, recall | ends: precision, recall | distances right | untrue notifications |',
    '|---|---|---|---|---|---|---|---|',
    ...[...rows, all].map(({ device, trips, found, within, starts, ends, distances, untrue }) => {
      const both = (count: number) => `${part(count, found)}, ${part(count, trips)}`;
      const cells = [
        trips,
        found,
        within === '' ? '' : `${within} s`,
        both(starts),
        both(ends),
        part(distances, trips),
        untrue,
      ];
      return `| ${[device, ...cells].join(' | ')} |`;
    }),
  ].join('\n');
}

/** The rows with faults; empty if all is right. */
export function faultsOf(rows: readonly Row[]): string[] {
  return rows.flatMap(({ device, trips, found, starts, ends, distances, untrue }) => {
    const most = Math.max(trips, found);
    const isRight = Math.min(starts, ends, distances) >= LEAST_PART * most && untrue <= (1 - LEAST_PART) * most;
    return isRight && most > 0 ? [] : [`${device}: ${[trips, found, starts, ends, distances, untrue].join(', ')}`];
  });
}

function part(count: number, of: number): string {
  return of === 0 ? '–' : (count / of).toFixed(3);
}
