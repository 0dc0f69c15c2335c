import type { CampaignResult, KindResult } from './run-campaign.ts';
import type { Finding } from './write.ts';

const FAULTS: readonly Finding['fault'][] = ['lost', 'doubled', 'unseen', 'half'];
const COLUMNS = ['attempted', 'acknowledged', 'unanswered', 'refused', ...FAULTS] as const;

/** Counts of one kind of write, a number for each column. */
export type ResultRow = Readonly<Record<(typeof COLUMNS)[number], number>> & { readonly kind: string };

/** A row for each kind of write or trouble, and one of the sums. */
export function resultRows(results: readonly KindResult[]): ResultRow[] {
  const rows = results.map(rowOf);
  const sum = (column: (typeof COLUMNS)[number]) => rows.reduce((total, row) => total + row[column], 0);
  return [...rows, { kind: 'all', ...fromColumns(sum) }];
}

/** True where nothing was lost, doubled, unseen or half-written, all answers were explained and the database is sound. */
export function holds({ kinds, faults, damage }: Omit<CampaignResult, 'troubles'>): boolean {
  return kinds.every(({ findings }) => findings.length === 0) && faults.length === 0 && damage.length === 0;
}

/** The rows as a table of text, under the name of what they are. */
export function resultTable(title: string, rows: readonly ResultRow[]): string {
  const width = Math.max(...rows.map(({ kind }) => kind.length));
  const line = (first: string, cells: readonly string[]) =>
    [first.padEnd(width), ...cells.map((cell, at) => cell.padStart((COLUMNS[at] ?? '').length))].join('  ');
  return [
    line(title, COLUMNS),
    ...rows.map((row) =>
      line(
        row.kind,
        COLUMNS.map((column) => String(row[column])),
      ),
    ),
  ].join('\n');
}

function rowOf({ name, findings, ...counts }: KindResult): ResultRow {
  const { attempted, acknowledged, unanswered, refused } = counts;
  const count = (fault: Finding['fault']) => findings.filter((finding) => finding.fault === fault).length;
  const faults = { lost: count('lost'), doubled: count('doubled'), unseen: count('unseen'), half: count('half') };
  return { kind: name, attempted, acknowledged, unanswered, refused, ...faults };
}

function fromColumns(value: (column: (typeof COLUMNS)[number]) => number): Omit<ResultRow, 'kind'> {
  return Object.fromEntries(COLUMNS.map((column) => [column, value(column)])) as Omit<ResultRow, 'kind'>;
}
