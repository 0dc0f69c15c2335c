import type { mongo } from 'mongoose';

import type { Migration } from './migration.ts';

/** Documents that one command reads or writes, unless a change says otherwise. */
const BATCH = 500;

/** A document as a migration reads it: as older programs stored it, regardless of the current types. */
export type OldDocument = mongo.WithId<mongo.BSON.Document>;

type DocumentUpdate = mongo.UpdateFilter<mongo.BSON.Document>;

/** A change of the documents of one collection, one by one. */
export interface DocumentChange {
  readonly collection: string;
  /** Finds documents to be changed, and no longer finds changed ones. */
  readonly pending: mongo.Filter<mongo.BSON.Document>;
  /** Names of the fields that `update` reads; if one of them has changed meanwhile, the document is read again. */
  readonly reads: readonly string[];
  /** Documents that one command reads or writes, if they are large. */
  readonly batch?: number;
  /** Makes the update of a document, such as `{ $set: { labels: [] } }`; it may read others of the database. */
  update(document: OldDocument, db: mongo.Db): DocumentUpdate | Promise<DocumentUpdate>;
}

/** Makes a migration's `pending` and `run` of a change: in batches, resumable, without undoing concurrent writes. */
export function changeEach(change: DocumentChange): Pick<Migration, 'pending' | 'run'> {
  return {
    pending: (db) => db.collection(change.collection).countDocuments(change.pending),
    run: async ({ db, count }) => {
      const documents = db.collection(change.collection);
      const projection = Object.fromEntries(['_id', ...change.reads].map((name) => [name, 1]));
      for (let after: mongo.Filter<mongo.BSON.Document> = {}; ; ) {
        const filter = { $and: [change.pending, after] };
        const read = await documents
          .find(filter, { projection })
          .sort({ _id: 1 })
          .limit(change.batch ?? BATCH)
          .toArray();
        const last = read.at(-1);
        if (last === undefined) return;
        const writes: mongo.AnyBulkWriteOperation<mongo.BSON.Document>[] = [];
        for (const document of read) {
          const filter = { $and: [{ _id: document._id }, change.pending, ...change.reads.map(asRead(document))] };
          writes.push({ updateOne: { filter, update: await change.update(document, db) } });
        }
        const { modifiedCount } = await documents.bulkWrite(writes, { ordered: false });
        await count(modifiedCount);
        after = { _id: { $gt: last._id } };
      }
    },
  };
}

function asRead(document: OldDocument): (name: string) => mongo.Filter<mongo.BSON.Document> {
  return (name) => ({ [name]: name in document ? { $eq: document[name] } : { $exists: false } });
}
