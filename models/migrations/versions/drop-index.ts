import type { mongo } from 'mongoose';

import type { Migration } from './migration.ts';

/** Makes the count and the change of a migration that drops an index by its name. */
export function dropIndex(collection: string, name: string): Pick<Migration, 'pending' | 'run'> {
  return {
    pending: async (db) => ((await hasIndex(db, collection, name)) ? 1 : 0),
    run: async ({ db, count }) => {
      if (!(await hasIndex(db, collection, name))) return;
      try {
        await db.collection(collection).dropIndex(name);
      } catch (error) {
        // Another process that was taken for dead has dropped it meanwhile.
        if (await hasIndex(db, collection, name)) throw error;
      }
      await count(1);
    },
  };
}

async function hasIndex(db: mongo.Db, collection: string, index: string): Promise<boolean> {
  const collections = await db.listCollections({ name: collection }).toArray();
  if (collections.length === 0) return false;
  const indexes = await db.collection(collection).indexes();
  return indexes.some(({ name }) => name === index);
}
