import { curlOf } from './generated-request.ts';
import { passwordOf, type SeededSite } from './seeded-site.ts';
import type { Group, Tally } from './tally.ts';

/** Writes what differs by endpoint and kind with an example each, what is explained, and a row for each endpoint. */
export function formatReport(tally: Tally, site: SeededSite, url: string, show: number): string {
  const open = tally.groups(false);
  const groups = open.slice(0, show).map((group) => formatGroup(group, site, url));
  const rest = open.length > show ? [`… and ${open.length - show} more kinds; --show ${open.length} shows them`] : [];
  return [...groups, ...rest, explainedOf(tally), tableOf(tally), totalOf(tally)].filter(Boolean).join('\n\n');
}

/** Writes one kind of difference with its example. */
export function formatGroup(
  { endpoint, kind, level, count, request, theirs, ours }: Group,
  site: SeededSite,
  url: string,
) {
  const password = request.login === null ? '' : passwordOf(site, request.login);
  return [
    `${count} × ${endpoint}  ${kind}  (level ${level}; ${request.about})`,
    `    - ${theirs}`,
    `    + ${ours}`,
    `    ${curlOf(request, url, password)}`,
  ].join('\n');
}

function explainedOf(tally: Tally): string {
  const counts = new Map<string, number>();
  for (const { explanation, count } of tally.groups(true)) {
    const what = `${explanation?.cause}: ${explanation?.what}`;
    counts.set(what, (counts.get(what) ?? 0) + count);
  }
  const lines = [...counts].map(([what, count]) => `${String(count).padStart(9)}  ${what}`);
  return lines.length === 0 ? '' : ['explained', ...lines].join('\n');
}

function tableOf(tally: Tally): string {
  const rows = tally.endpoints().map(({ endpoint, requests, agreed }) => {
    const shares = agreed.map((count) => `${((100 * count) / requests).toFixed(1)} %`.padStart(9));
    return `${endpoint.padEnd(72)}${String(requests).padStart(9)}${shares.join('')}`;
  });
  const head = `${'endpoint'.padEnd(72)}${'requests'.padStart(9)}${['level 1', 'level 2', 'level 3'].map((name) => name.padStart(9)).join('')}`;
  return [head, ...rows].join('\n');
}

function totalOf({ requests, explained, differing }: Tally): string {
  return `${requests} requests: ${requests - explained - differing} answered alike, ${explained} with explained differences, ${differing} with others`;
}
