import { onMarkedWrite } from '../../models/logged-model.ts';
import { accountAccessScope } from '../../models/tenancy.ts';

import { GROWTH_EVERY_MS, lastNumber, numberChanges } from './number-changes.ts';
import { accountsListenedTo, announceEntries, endWaiting } from './on-change.ts';

/** Time after which a change gets its entry, so that changes that come together are numbered together; in milliseconds. */
const DELAY_MS = 50;
/** Interval at which changes get their entries whose process was killed, in milliseconds. */
const SWEEP_EVERY_MS = 5000;
/** Interval at which entries of other servers are looked for while somebody listens, in milliseconds. */
const LOOK_EVERY_MS = 150;

/**
 * Gives entries to changes as they are made, and tells listeners of those that other servers have made. Nothing is read
 * meanwhile but once in five seconds, unless somebody listens.
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
  const lookAtOthers = newEntries();
  const look = setInterval(() => enqueue(lookAtOthers), LOOK_EVERY_MS).unref();
  return {
    close: async () => {
      stop();
      for (const timer of [sweep, look, ...timers.values()]) clearTimeout(timer);
      endWaiting();
      await work;
    },
  };
}

/** Makes a function that tells the listeners of accounts whose logs have grown since it was last called. */
function newEntries(): () => Promise<void> {
  let known = new Map<string, number>();
  return async () => {
    const accounts = accountsListenedTo();
    if (accounts.length === 0) return;
    const numbers = await Promise.all(accounts.map((key) => lastNumber(accountAccessScope(key))));
    const before = known;
    known = new Map(accounts.map((key, at) => [key, numbers[at] ?? 0]));
    for (const [key, number] of known) if (number !== before.get(key)) announceEntries(key);
  };
}
