import { AsyncLocalStorage } from 'node:async_hooks';

const times = new AsyncLocalStorage<Date>();

/** Does work again, or for the first time, whose change is that of a time. */
export function atChangeTime<Result>(time: Date, work: () => Promise<Result>): Promise<Result> {
  return times.run(time, work);
}

/** The time of a change: now, or when it was tried first, so that what is named by the time is stored once. */
export function changeTime(): Date {
  return times.getStore() ?? new Date();
}
