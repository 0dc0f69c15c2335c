import { onMarkedWrite } from '../../models/store/logged-model.ts';

import { GROWTH_EVERY_MS, numberGrowth } from './number-changes.ts';
import { numberWritten } from './number-written.ts';
import { accountsListenedTo, endWaiting, isAnyLogListenedTo, onFirstLogListener } from './on-change.ts';
import type { Service } from '../../models/store/service.ts';

/** Delay until a change gets its entry, so that simultaneous changes are numbered together; in milliseconds. */
const DELAY_MS = 50;
/** Time after a fault until it is tried again, in milliseconds. */
const RETRY_MS = 5000;

/**
 * Gives entries to changes as this process makes them, and first to those that a killed process has left; and each second to
 * open trips of accounts whose readers wait in this process.
 *
 * @param onFault called with the error; the work is retried
 */
export function watchChanges(
  service: Service,
  onFault: (error: unknown) => void,
): { readonly close: () => Promise<void> } {
  let work: Promise<void> = Promise.resolve();
  let soon: NodeJS.Timeout | undefined;
  let again: NodeJS.Timeout | undefined;
  let growing: NodeJS.Timeout | undefined;
  const number = (numberSome: () => Promise<void>) => {
    work = work.then(numberSome).catch((error: unknown) => {
      onFault(error);
      clearTimeout(again);
      again = setTimeout(numberNow, RETRY_MS).unref();
    });
  };
  const numberNow = () => {
    soon = undefined;
    number(() => numberWritten(service));
  };
  const grow = () => {
    if (isAnyLogListenedTo(service)) return number(() => numberGrowth(service, accountsListenedTo(service)));
    clearInterval(growing);
    growing = undefined;
  };
  const beginToGrow = () => {
    growing ??= setInterval(grow, GROWTH_EVERY_MS).unref();
  };
  const stops = [
    onMarkedWrite(service, () => {
      soon ??= setTimeout(numberNow, DELAY_MS).unref();
    }),
    onFirstLogListener(service, beginToGrow),
  ];
  if (isAnyLogListenedTo(service)) beginToGrow();
  numberNow();
  return {
    close: async () => {
      for (const stop of stops) stop();
      clearInterval(growing);
      endWaiting(service);
      clearTimeout(soon);
      if (soon) numberNow();
      await work;
      clearTimeout(again);
    },
  };
}
