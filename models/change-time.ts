import { AsyncLocalStorage } from 'node:async_hooks';

const times = new AsyncLocalStorage<Date>();

/** Does work whose change is made at a given time, for the first time or again. */
export function atChangeTime<Result>(time: Date, work: () => Promise<Result>): Promise<Result> {
  return times.run(time, work);
}

/** The time of a change: now, or the first attempt, so that records named by the time are stored once. */
export function changeTime(): Date {
  return times.getStore() ?? new Date();
}
