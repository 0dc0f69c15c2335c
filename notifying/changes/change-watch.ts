import { type MarkedWrite, onMarkedWrite } from '../../models/store/logged-model.ts';

import { GROWTH_EVERY_MS, numberChanges } from './number-changes.ts';
import { endWaiting } from './on-change.ts';
import type { Service } from '../../models/store/service.ts';

/** Delay until a change gets its entry, so that simultaneous changes are numbered together; in milliseconds. */
const DELAY_MS = 50;
/** Interval at which changes of ended processes, such as commands, get their entries, in milliseconds. */
const SWEEP_EVERY_MS = 5000;
/** Time after a fault until it is tried again, in milliseconds. */
const RETRY_MS = 5000;

/**
 * Gives entries to changes as they are made, and first to those that a killed process has left. One command every five
 * seconds looks for others.
 *
 * @param onFault called with the error; the work is retried
 */
export function watchChanges(
  service: Service,
  onFault: (error: unknown) => void,
): { readonly close: () => Promise<void> } {
  let work: Promise<void> = Promise.resolve();
  const timers = new Map<MarkedWrite | 'fault', NodeJS.Timeout>();
  const numberNow = (cause?: MarkedWrite | 'fault') => {
    work = work
      .then(() => numberChanges(service, Date.now(), cause === 'growth'))
      .catch((error: unknown) => {
        onFault(error);
        numberSoon('fault', RETRY_MS);
      });
  };
  const numberSoon = (cause: MarkedWrite | 'fault', delay: number) => {
    if (timers.has(cause)) return;
    const begin = () => {
      timers.delete(cause);
      numberNow(cause);
    };
    timers.set(cause, setTimeout(begin, delay).unref());
  };
  const stop = onMarkedWrite(service, (write) => numberSoon(write, write === 'growth' ? GROWTH_EVERY_MS : DELAY_MS));
  const sweep = setInterval(() => numberNow(), SWEEP_EVERY_MS).unref();
  numberNow();
  return {
    close: async () => {
      stop();
      clearInterval(sweep);
      endWaiting(service);
      const isMarked = timers.size > 0;
      for (const timer of timers.values()) clearTimeout(timer);
      if (isMarked) numberNow('growth');
      await work;
      clearTimeout(timers.get('fault'));
    },
  };
}
