import { announceMarks, announceUpdate, type LoggedKind, markedUpdate, noteDeletions } from './logged-model.ts';
import { changesPermissions, type Deciding, permissionsChanged } from './permission-stamp.ts';
import type { WriteRules } from './plain-store.ts';

/**
 * The rules for writes of a record: its changes are marked for the log of changes, and whoever may see something else
 * afterwards learns of it.
 */
export function writeRulesOf(logged: LoggedKind | undefined, deciding: Deciding | undefined): WriteRules {
  return {
    ...(logged && {
      updated: (update) => markedUpdate(logged, update),
      removing: (service, find) => noteDeletions(service, logged, find),
    }),
    written: async (service, write) => {
      if (deciding && changesPermissions(deciding, write)) await permissionsChanged(service);
      if (!logged) return;
      if (write.kind !== 'update') announceMarks(service, 'change');
      else for (const update of write.updates) announceUpdate(service, update);
    },
  };
}
