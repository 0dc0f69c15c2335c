import type { TimeSlice } from './time-slice.ts';

/**
 * Work that pauses between steps of less than a millisecond and ends with its result: long work, such as encoding a
 * track of many hours, runs synchronously or in slices.
 */
export type Steps<T> = Generator<void, T, void>;

/** Number of positions of a track in one step. */
export const POSITIONS_A_STEP = 2000;

/** Runs all steps synchronously. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs the steps in time slices: other requests run between two. */
export async function finishInSlices<T>(slice: TimeSlice, steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slice.isOver()) await slice.next();
  }
}

/** Splits a length into ranges `[from, until)` of one step each. */
export function* rangesOf(length: number): Generator<readonly [from: number, until: number], void, void> {
  for (let from = 0; from < length; from += POSITIONS_A_STEP) {
    yield [from, Math.min(length, from + POSITIONS_A_STEP)];
  }
}
