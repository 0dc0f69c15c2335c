import { onMarkedWrite } from '../../models/store/logged-model.ts';
import { isInTransaction } from '../../models/store/transaction.ts';

import { numberChanges } from './number-changes.ts';
import { type Service, perService } from '../../models/store/service.ts';

/** The changes of this process that have no entries yet. At first, there may be some of a killed process anywhere. */
const written = perService((service) => {
  const state = { accounts: new Set<string>(), isAnywhere: true, work: Promise.resolve() };
  onMarkedWrite(service, (accountKey) => {
    if (accountKey === null) state.isAnywhere = true;
    else state.accounts.add(accountKey);
  });
  return state;
});

/**
 * Gives entries to the changes of this process since the last call, so that their author can read them; the first call, to all.
 * Changes of other processes are left to them, so that servers do not compete for the numbers of an account.
 *
 * @param accountKey the account of a reader; by default, all accounts
 */
export function numberWritten(service: Service, accountKey?: string): Promise<void> {
  // The work under way may be waiting for the transaction.
  if (isInTransaction()) return numberChanges(service, accountKey === undefined ? undefined : [accountKey]);
  const state = written(service);
  state.work = state.work
    .catch(() => undefined)
    .then(async () => {
      const { isAnywhere } = state;
      const accounts = [...state.accounts].filter(
        (key) => isAnywhere || accountKey === undefined || key === accountKey,
      );
      if (accounts.length === 0 && !isAnywhere) return;
      state.isAnywhere = false;
      for (const key of accounts) state.accounts.delete(key);
      try {
        await numberChanges(service, isAnywhere ? undefined : accounts);
      } catch (error) {
        state.isAnywhere ||= isAnywhere;
        for (const key of accounts) state.accounts.add(key);
        throw error;
      }
    });
  return state.work;
}
