import type { DoorCount, Finding } from './comparison.ts';

/** Writes a line for each door: requests, how they were answered, and how many answers differ. */
export function tableOf(counts: readonly DoorCount[]): string {
  const rows = counts.map(
    ({ door, requests, differing, kinds }) => [door, requests, differing, kindsOf(kinds)] as const,
  );
  const total = (at: 1 | 2) => rows.reduce((sum, row) => sum + row[at], 0);
  const lines = [['door', 'requests', 'differing', 'answers of the commit'], ...rows, ['all', total(1), total(2), '']];
  return lines
    .map(([door, requests, differing, kinds]) =>
      `${String(door).padEnd(16)}${String(requests).padStart(9)}${String(differing).padStart(11)}  ${kinds}`.trimEnd(),
    )
    .join('\n');
}

/** Writes a request whose answers differ, and where. */
export function wordFinding({ door, request, differences }: Finding): string {
  const places = differences.flatMap(({ part, before, now }) => [
    `  ${part}`,
    `    - ${before === null ? '(absent)' : JSON.stringify(before)}`,
    `    + ${now === null ? '(absent)' : JSON.stringify(now)}`,
  ]);
  return [`${door}: ${request}`, ...places].join('\n');
}

function kindsOf(kinds: Readonly<Record<string, number>>): string {
  return Object.entries(kinds)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ');
}
