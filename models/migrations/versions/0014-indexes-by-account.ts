import { dropIndex } from './drop-index.ts';
import type { Migration } from './migration.ts';

const growthMarks = dropIndex('devices', 'growth_mark_1');
const marks = dropIndex('changes', 'key_1_kind_1_mark_1');

/** Drops indexes that others replace, which begin with the account: by these the log of one account is numbered and sharded. */
export const indexesByAccount: Migration = {
  number: 14,
  name: 'indexes-by-account',
  description: 'Drops indexes of marks and changes, which indexes by account replace',
  pending: async (db) => (await growthMarks.pending(db)) + (await marks.pending(db)),
  run: async (run) => {
    await growthMarks.run(run);
    await marks.run(run);
  },
};
