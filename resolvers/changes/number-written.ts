import { onMarkedWrite } from '../../models/logged-model.ts';

import { numberChanges } from './number-changes.ts';

let isWritten = false;
onMarkedWrite(() => {
  isWritten = true;
});

let work: Promise<void> = Promise.resolve();

/** Gives entries to the changes that this process has made since the last time, so that who made them reads them. */
export function numberWritten(): Promise<void> {
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
