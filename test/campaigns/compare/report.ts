import type { EndpointCount, Finding } from './comparison.ts';

/** Writes a line for each endpoint: requests, how they were answered, and how many answers differ. */
export function tableOf(counts: readonly EndpointCount[]): string {
  const rows = counts.map(
    ({ endpoint, requests, differing, kinds }) => [endpoint, requests, differing, kindsOf(kinds)] as const,
  );
  const total = (at: 1 | 2) => rows.reduce((sum, row) => sum + row[at], 0);
  const lines = [
    ['endpoint', 'requests', 'differing', 'answers of the commit'],
    ...rows,
    ['all', total(1), total(2), ''],
  ];
  return lines
    .map(([endpoint, requests, differing, kinds]) =>
      `${String(endpoint).padEnd(16)}${String(requests).padStart(9)}${String(differing).padStart(11)}  ${kinds}`.trimEnd(),
    )
    .join('\n');
}

/** Writes a request whose answers differ, and where. */
export function formatFinding({ endpoint, request, differences }: Finding): string {
  const places = differences.flatMap(({ part, before, now }) => [
    `  ${part}`,
    `    - ${before === null ? '(absent)' : JSON.stringify(before)}`,
    `    + ${now === null ? '(absent)' : JSON.stringify(now)}`,
  ]);
  return [`${endpoint}: ${request}`, ...places].join('\n');
}

function kindsOf(kinds: Readonly<Record<string, number>>): string {
  return Object.entries(kinds)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ');
}
