import { expect, test } from 'vitest';

import type { RequestContext } from '../../../auth/caller.ts';
import { batched } from '../../../tracking/scheduling/batched.ts';
import { timeSliceOf } from '../../../tracking/scheduling/time-slice.ts';
import { countTurns, stepClock } from '../../services/event-loop-turns.ts';

const CONTEXT = {} as RequestContext;

/** A function that doubles numbers, and the numbers of each of its reads. */
function doubling() {
  const reads: (readonly number[])[] = [];
  const double = batched<number, number>(async (_context, numbers) => {
    reads.push(numbers);
    return numbers.map((number) => 2 * number);
  });
  return { double: (number: number) => double(CONTEXT, number), reads };
}

const NUMBERS = Array.from({ length: 250 }, (_, at) => at);

test('many keys are read by several reads, and answered in their order', async () => {
  const { double, reads } = doubling();
  expect(await Promise.all(NUMBERS.map(double))).toEqual(NUMBERS.map((number) => 2 * number));
  expect(reads.map(({ length }) => length)).toEqual([100, 100, 50]);
});

test('what all records of a list ask, in several turns of the event loop, is read together', async () => {
  stepClock();
  const turn = countTurns();
  const { double, reads } = doubling();
  const slice = timeSliceOf(CONTEXT);
  const turns = new Set<number>();
  const ask = async (number: number) => {
    await slice.next();
    turns.add(turn());
    return double(number);
  };
  expect(await Promise.all(NUMBERS.map(ask))).toEqual(NUMBERS.map((number) => 2 * number));
  expect(turns.size).toBeGreaterThan(2);
  expect(reads.map(({ length }) => length)).toEqual([100, 100, 50]);
});
