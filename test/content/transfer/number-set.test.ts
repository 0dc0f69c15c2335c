import { expect, test } from 'vitest';

import { NumberSet } from '../../../content/transfer/number-set.ts';

const NUMBERS = [1, 7, 8, 4095, 4096, 2_000_000, -3, Number.MAX_SAFE_INTEGER];

test('a set has each number that was added, once, and no other', () => {
  const set = new NumberSet();
  for (const value of NUMBERS) expect([set.has(value), set.add(value), set.add(value)]).toEqual([false, true, false]);
  expect([...set].sort((a, b) => a - b)).toEqual([...NUMBERS].sort((a, b) => a - b));
  expect([set.size, set.highest]).toEqual([NUMBERS.length, Number.MAX_SAFE_INTEGER]);
  for (const value of NUMBERS) expect(set.has(value === 7 ? 6 : value - 2)).toBe(false);
});

test('its numbers come in lists of limited length, without those of another set', () => {
  const [set, other] = [new NumberSet(), new NumberSet()];
  for (let value = 1; value <= 10; value += 1) set.add(value);
  other.add(4);
  expect([...set.chunks(4, other)]).toEqual([[1, 2, 3, 5], [6, 7, 8, 9], [10]]);
  expect([...new NumberSet().chunks(4)]).toEqual([]);
});
