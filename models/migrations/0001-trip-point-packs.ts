import type { mongo } from 'mongoose';

import type { Migration } from './migration.ts';

/** The index that kept the buckets of a trip apart by their numbers alone: no trip could have two packs of them. */
const OLD_INDEX = 'vehicle_key_1_trip_key_1_number_1';

/** Lets a trip have several packs, of which it names one. Older programs would read all, and heed no lease epoch. */
export const tripPointPacks: Migration = {
  number: 1,
  name: 'trip-point-packs',
  description: 'Drops the index by which a trip had one pack of positions',
  leastReader: 1,
  pending: async (db) => ((await hasOldIndex(db)) ? 1 : 0),
  run: async ({ db, count }) => {
    if (!(await hasOldIndex(db))) return;
    try {
      await db.collection('trip_points').dropIndex(OLD_INDEX);
    } catch (error) {
      // Another process that was taken for dead has dropped it meanwhile.
      if (await hasOldIndex(db)) throw error;
    }
    await count(1);
  },
};

async function hasOldIndex(db: mongo.Db): Promise<boolean> {
  const collections = await db.listCollections({ name: 'trip_points' }).toArray();
  if (collections.length === 0) return false;
  const indexes = await db.collection('trip_points').indexes();
  return indexes.some(({ name }) => name === OLD_INDEX);
}
