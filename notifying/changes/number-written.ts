import { type MarkPlace, onMarkedWrite } from '../../models/store/logged-model.ts';
import { isInTransaction } from '../../models/store/transaction.ts';

import { numberChanges } from './number-changes.ts';
import { type Service, perService } from '../../models/store/service.ts';

/** Places with changes of this process that have no entries yet. At first, there may be some of a killed process anywhere. */
const written = perService((service) => {
  const places = new Map<string, Set<MarkPlace>>();
  const state = { places, isAnywhere: true, work: Promise.resolve() };
  onMarkedWrite(service, (place, accountKey) => {
    if (accountKey === null) state.isAnywhere = true;
    else placesOf(places, accountKey).add(place);
  });
  return state;
});

function placesOf(places: Map<string, Set<MarkPlace>>, accountKey: string): Set<MarkPlace> {
  const known = places.get(accountKey) ?? new Set();
  places.set(accountKey, known);
  return known;
}

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
      const taken = [...state.places].filter(([key]) => isAnywhere || accountKey === undefined || key === accountKey);
      if (taken.length === 0 && !isAnywhere) return;
      state.isAnywhere = false;
      for (const [key] of taken) state.places.delete(key);
      try {
        if (isAnywhere) await numberChanges(service);
        else {
          const accounts = taken.map(([key]) => key);
          await numberChanges(service, accounts, new Set(taken.flatMap(([, places]) => [...places])));
        }
      } catch (error) {
        state.isAnywhere ||= isAnywhere;
        for (const [key, places] of taken) for (const place of places) placesOf(state.places, key).add(place);
        throw error;
      }
    });
  return state.work;
}
