import mongoose, { type mongo } from 'mongoose';

import { newKey } from '../../models/key.ts';
import { joinFirst } from '../../models/store/join-stages.ts';

/** Something that the service uses of a database, and that not every database that speaks MongoDB's protocol has. */
export interface Capability {
  readonly name: string;
  /** Cost of its absence, as a sentence without a period. */
  readonly cost: string;
}

/** A test of a capability, on a collection of its own with one document `{ _id: 1, key: 'a', other: 'b' }`. */
interface Probe extends Capability {
  has(db: mongo.Db, collection: mongo.Collection<mongo.Document>): Promise<boolean>;
}

const PROBES: readonly Probe[] = [
  {
    name: 'transactions',
    cost: 'a request that a fault interrupts may leave a part of its changes until it is repeated',
    has: async (db) => {
      const hello = await db.admin().command({ hello: 1 });
      return hello.setName !== undefined || hello.msg === 'isdbgrid';
    },
  },
  {
    name: 'capped collections',
    cost: 'streams learn of the changes of other servers only by looking for them',
    has: async (db, { collectionName }) => {
      const name = `${collectionName}_capped`;
      await db.createCollection(name, { capped: true, size: 4096 });
      const [found] = await db.listCollections({ name }).toArray();
      await db.dropCollection(name);
      return found !== undefined && 'options' in found && found.options?.capped === true;
    },
  },
  {
    name: '$unionWith',
    cost: 'changes do not come into the log of changes',
    has: async (_db, collection) => {
      const stages = [{ $unionWith: { coll: collection.collectionName, pipeline: [{ $match: { key: 'a' } }] } }];
      return (await collection.aggregate(stages).toArray()).length === 2;
    },
  },
  {
    name: 'partial indexes',
    cost: 'the indexes of the service cannot be created',
    has: async (_db, collection) => {
      const partialFilterExpression = { other: { $type: 'string' } };
      await collection.createIndex({ key: 1, other: 1 }, { unique: true, partialFilterExpression });
      const isRejected = (error: unknown) => error instanceof mongoose.mongo.MongoServerError;
      await collection.insertMany([{ key: 'c' }, { key: 'c' }]);
      return collection.insertOne({ key: 'a', other: 'b' }).then(() => false, isRejected);
    },
  },
  {
    name: '$lookup with equal fields and a pipeline',
    cost: 'vehicles cannot be listed with their trips, visits or events',
    has: async (_db, collection) => {
      const first = [{ $match: {} }, { $sort: { _id: 1 } }, { $limit: 1 }, { $project: { other: 1 } }] as const;
      const join = joinFirst(collection.collectionName, 'key', 'key', 'found', first);
      const [found] = await collection.aggregate([{ $match: { _id: 1 } }, join]).toArray();
      return found?.found.length === 1;
    },
  },
];

/** Tries the capabilities of a database in a collection that is removed again; returns those that it lacks. */
export async function missingCapabilities(db: mongo.Db): Promise<readonly Capability[]> {
  const collection = db.collection<mongo.Document>(`probe_${newKey()}`);
  await collection.insertOne({ _id: 1 as never, key: 'a', other: 'b' });
  const missing: Capability[] = [];
  try {
    for (const { name, cost, has } of PROBES) {
      const isThere = await has(db, collection).catch((error: unknown) => {
        if (error instanceof mongoose.mongo.MongoServerError) return false;
        throw error;
      });
      if (!isThere) missing.push({ name, cost });
    }
  } finally {
    await collection.drop();
  }
  return missing;
}
