import { onTestFinished, vi } from 'vitest';

/** Counts turns of the event loop until the test ends; returns the number of the turn. */
export function countTurns(): () => number {
  let turn = 0;
  const count = () => {
    turn += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  onTestFinished(() => clearImmediate(next));
  return () => turn;
}

/** Lets the clock that slices of time are measured by go on by some milliseconds whenever it is read, until the test ends. */
export function stepClock(step = 1): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += step;
    return now;
  });
}
