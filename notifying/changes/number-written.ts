import { onMarkedWrite } from '../../models/store/logged-model.ts';
import { isInTransaction } from '../../models/store/transaction.ts';

import { numberChanges } from './number-changes.ts';
import { type Service, perService } from '../../models/store/service.ts';

/** State of unlogged changes of this process: at first there may be some of a killed process. */
const written = perService((service) => {
  const state = { isWritten: true, work: Promise.resolve() };
  onMarkedWrite(service, () => {
    state.isWritten = true;
  });
  return state;
});

/**
 * Gives entries to the changes of this process since the last call, so that their author can read them; the first call, to all.
 */
export function numberWritten(service: Service): Promise<void> {
  // The work under way may be waiting for the transaction.
  if (isInTransaction()) return numberChanges(service);
  const state = written(service);
  state.work = state.work
    .catch(() => undefined)
    .then(async () => {
      if (!state.isWritten) return;
      state.isWritten = false;
      try {
        await numberChanges(service);
      } catch (error) {
        state.isWritten = true;
        throw error;
      }
    });
  return state.work;
}
