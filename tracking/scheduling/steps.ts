import type { TimeSlice } from './time-slice.ts';

/**
 * Work that pauses between steps of less than a millisecond and ends with its result: what takes long, such as encoding a
 * track of many hours, is written once and runs either way.
 */
export type Steps<T> = Generator<void, T, void>;

/** Positions of a track that one step goes through. */
export const POSITIONS_A_STEP = 2000;

/** Does all steps in one go. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Does the steps in slices of time: other requests continue between two. */
export async function finishInSlices<T>(slice: TimeSlice, steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slice.isOver()) await slice.next();
  }
}

/** The ranges `[from, until)` of a length that are one step each. */
export function* rangesOf(length: number): Generator<readonly [from: number, until: number], void, void> {
  for (let from = 0; from < length; from += POSITIONS_A_STEP) {
    yield [from, Math.min(length, from + POSITIONS_A_STEP)];
  }
}
