import { onMarkedWrite } from '../../models/logged-model.ts';
import { isInTransaction } from '../../models/transaction.ts';

import { numberChanges } from './number-changes.ts';

/** True at first, for changes of a process that was killed. */
let isWritten = true;
onMarkedWrite(() => {
  isWritten = true;
});

let work: Promise<void> = Promise.resolve();

/** Gives entries to the changes that this process has made since the last time, so that who made them reads them; at first, to all. */
export function numberWritten(): Promise<void> {
  // The work under way may be waiting for the transaction.
  if (isInTransaction()) return numberChanges();
  work = work
    .catch(() => undefined)
    .then(async () => {
      if (!isWritten) return;
      isWritten = false;
      try {
        await numberChanges();
      } catch (error) {
        isWritten = true;
        throw error;
      }
    });
  return work;
}
