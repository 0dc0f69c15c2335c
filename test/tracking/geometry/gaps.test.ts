import { expect, test } from 'vitest';

import { gaps } from '../../../tracking/geometry/gaps.ts';

const timesOf = (...seconds: number[]) => Float64Array.from(seconds, (second) => second * 1000);

test('More than 45 s without a position is a gap', () => {
  expect(gaps(timesOf(0, 5, 10, 56, 101), Float64Array.of(1, 2, 300, 4))).toEqual([
    { started: new Date(10_000), ended: new Date(56_000), duration_seconds: 46, distance_meters: 300 },
  ]);
});

test('A device that reports each minute has no gap until three minutes', () => {
  expect(gaps(timesOf(0, 60, 120, 180, 360, 541), Float64Array.of(1, 1, 1, 1, 7))).toMatchObject([
    { duration_seconds: 181, distance_meters: 7 },
  ]);
});

test('A trip without an interval has no gap', () => {
  expect(gaps(timesOf(0), Float64Array.of())).toEqual([]);
});
