import { onMarkedWrite } from '../../models/logged-model.ts';

import { GROWTH_EVERY_MS, numberChanges } from './number-changes.ts';
import { endWaiting } from './on-change.ts';

/** Time after which a change gets its entry, so that changes that come together are numbered together; in milliseconds. */
const DELAY_MS = 50;
/** Interval at which changes get their entries whose process was killed, in milliseconds. */
const SWEEP_EVERY_MS = 5000;

/**
 * Gives entries to changes as they are made. Nothing is read meanwhile but once in five seconds.
 *
 * @param onFault called with what went wrong; the work is tried again
 */
export function watchChanges(onFault: (error: unknown) => void): { readonly close: () => Promise<void> } {
  let work: Promise<unknown> = Promise.resolve();
  const enqueue = (task: () => Promise<unknown>) => {
    work = work.then(task).catch(onFault);
  };
  const timers = new Map<string, NodeJS.Timeout>();
  const numberSoon = (name: string, delay: number) => {
    if (timers.has(name)) return;
    const begin = () => {
      timers.delete(name);
      enqueue(() => numberChanges());
    };
    timers.set(name, setTimeout(begin, delay).unref());
  };
  const stop = onMarkedWrite((write) => numberSoon(write, write === 'growth' ? GROWTH_EVERY_MS : DELAY_MS));
  const sweep = setInterval(() => enqueue(() => numberChanges()), SWEEP_EVERY_MS).unref();
  return {
    close: async () => {
      stop();
      for (const timer of [sweep, ...timers.values()]) clearTimeout(timer);
      endWaiting();
      await work;
    },
  };
}
