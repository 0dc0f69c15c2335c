import { changeEach } from './change-each.ts';
import type { Migration } from './migration.ts';

const CHANGES = ['devices', 'groups', 'users', 'vehicles'].map((collection) =>
  changeEach({
    collection,
    pending: { logged_path: { $exists: false } },
    reads: ['group_path'],
    update: ({ group_path = [] }) => ({ $set: { logged_path: group_path } }),
  }),
);

/**
 * Stores with every record its groups, so that the log of changes notifies their members when it leaves them. Older
 * programs would change records without an entry in the log.
 */
export const loggedPaths: Migration = {
  number: 11,
  name: 'logged-paths',
  description: 'Stores with every device, group, user and vehicle the groups that its next change concerns',
  pending: async (db) => {
    const counts = await Promise.all(CHANGES.map(({ pending }) => pending(db)));
    return counts.reduce((sum, count) => sum + count, 0);
  },
  run: async (context) => {
    for (const { run } of CHANGES) await run(context);
  },
};
