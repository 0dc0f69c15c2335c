import { describe, expect, test } from 'vitest';

import { runSize } from '../services/run-size.ts';

import { runTransactions } from './transactions/campaign.ts';
import { findAnomalies, type Operation, type Transaction } from './transactions/find-anomalies.ts';

const A = 1;
const B = 2;
const append = (key: number, appended: number): Operation => ({ key, appended });
const read = (key: number, ...values: number[]): Operation => ({ key, read: values });

/** Transactions, all of which overlap, and then one that reads both lists. */
function history(transactions: readonly (readonly Operation[])[], end: readonly Operation[]): Transaction[] {
  const last = { id: 99, operations: end, outcome: 'committed' as const, began: 100, ended: 101 };
  return [
    ...transactions.map((operations, id) => ({
      ...{ id, operations, began: id, ended: 50 + id },
      outcome: 'committed' as const,
    })),
    last,
  ];
}

const kindsOf = (found: ReturnType<typeof findAnomalies>) => found.map(({ kind }) => kind);

describe('a checker of histories', () => {
  test.each<[string, Operation[][], Operation[]]>([
    [
      'G0',
      [
        [append(A, 1), append(B, 2)],
        [append(A, 3), append(B, 4)],
      ],
      [read(A, 1, 3), read(B, 4, 2)],
    ],
    [
      'G1c',
      [
        [append(A, 1), read(B, 2)],
        [append(B, 2), read(A, 1)],
      ],
      [read(A, 1), read(B, 2)],
    ],
    [
      'G-single',
      [
        [read(A), append(B, 1)],
        [append(A, 2), append(B, 3)],
      ],
      [read(A, 2), read(B, 3, 1)],
    ],
    [
      'G2',
      [
        [read(A), append(B, 1)],
        [read(B), append(A, 2)],
      ],
      [read(A, 2), read(B, 1)],
    ],
    ['G1b', [[append(A, 1), append(A, 2)], [read(A, 1)]], [read(A, 1, 2)]],
    ['internal', [[append(A, 1), read(A)]], [read(A, 1)]],
    ['lost', [[append(A, 1)], [append(B, 2)]], [read(A, 1), read(B)]],
    ['duplicate', [[append(A, 1)]], [read(A, 1, 1)]],
    ['invented', [[append(A, 1)]], [read(A, 1, 7)]],
  ])('finds %s', (kind, transactions, end) => {
    expect(kindsOf(findAnomalies(history(transactions, end)))).toContain(kind);
  });

  test('finds reads of what was undone, writes of which half are there, and reads of the past', () => {
    const base = { began: 0, ended: 1 };
    const aborted: Transaction = { ...base, id: 0, operations: [append(A, 1)], outcome: 'aborted' };
    expect(kindsOf(findAnomalies([aborted, ...history([], [read(A, 1)])]))).toEqual(['G1a']);
    const half: Transaction = { ...aborted, operations: [append(A, 1), append(B, 2)], outcome: 'unknown' };
    expect(kindsOf(findAnomalies([half, ...history([], [read(A, 1), read(B)])]))).toEqual(['half']);
    const written: Transaction = { ...aborted, outcome: 'committed' };
    const late: Transaction = { id: 1, operations: [read(A)], outcome: 'committed', began: 2, ended: 3 };
    expect(kindsOf(findAnomalies([written, late, ...history([], [read(A, 1)])]))).toEqual(['G-single-realtime']);
  });

  test('takes nothing for an anomaly that a transaction has read of its own, which was not committed', () => {
    const operations = [append(A, 1), read(A, 1)];
    for (const outcome of ['aborted', 'unknown'] as const)
      expect(findAnomalies([{ id: 0, operations, outcome, began: 0, ended: 1 }, ...history([], [read(A)])])).toEqual(
        [],
      );
  });

  test('finds nothing in a history of transactions one after another', () => {
    const transactions = [
      [append(A, 1), read(B)],
      [read(A, 1), append(B, 2)],
      [read(A, 1), read(B, 2), append(A, 3)],
    ];
    expect(findAnomalies(history(transactions, [read(A, 1, 3), read(B, 2)]))).toEqual([]);
  });
});

test('transactions on two processes that are killed are as if they had run one after another', async () => {
  const { counts, kills, anomalies, damage } = await runTransactions({
    transactions: runSize(2000, 50_000),
    seed: '1',
    onProgress: () => undefined,
  });
  expect([anomalies, damage]).toEqual([[], []]);
  expect(counts.committed).toBeGreaterThan(1000);
  expect(Math.min(kills, counts.aborted)).toBeGreaterThan(0);
  // Few kills may find no commit under way.
  expect(counts.unknown).toBeGreaterThanOrEqual(runSize(0, 1));
}, 600_000);
