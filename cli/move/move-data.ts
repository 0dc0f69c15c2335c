import { createHash } from 'node:crypto';

import type { mongo } from 'mongoose';

import { dataVersions, isEmpty } from '../../models/migrations/data-version.ts';
import { isOfMessages } from '../../models/server-messages.ts';
import { CommandError } from '../shell/command-error.ts';
import type { OpenData } from './data-place.ts';

/** Documents that expire within this time, in milliseconds, are copied but not compared: either side may remove them. */
const EXPIRING_WITHIN_MS = 3_600_000;
/** Types of numbers are kept: read as JavaScript's, they would be stored as others. */
const AS_STORED = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true } as const;

/** A collection that is the same in both places. */
export interface MovedCollection {
  readonly name: string;
  /** Number of documents that were compared. */
  readonly documents: number;
  /** Number of documents that this run copied; an earlier, interrupted run copied the others. */
  readonly copied: number;
  /** Hash of the compared documents in the order of `_id`, hexadecimal. */
  readonly sha256: string;
}

/**
 * Copies all data to an empty place, with the indexes, and compares it. Nothing can use the copy before it is equal.
 * An interrupted run is continued by the next one. The source stays as it is.
 *
 * @throws CommandError if a place is unsuitable, or the data is not equal
 */
export async function moveData(
  from: OpenData,
  to: OpenData,
  { onProgress = () => undefined }: { readonly onProgress?: (collection: string, copied: number) => void } = {},
): Promise<MovedCollection[]> {
  await beginMove(from, to);
  const names = await collectionNames(from.db);
  const copies = new Map<string, number>();
  for (const name of names) {
    const report = (copied: number) => onProgress(name, copied);
    copies.set(name, await copyCollection(from.db.collection(name), to.db.collection(name), report));
  }
  const moved: MovedCollection[] = [];
  for (const name of names) {
    moved.push({ name, copied: copies.get(name) ?? 0, ...(await compareCollections(name, from, to)) });
  }
  for (const name of names) await copyIndexes(from.db.collection(name), to.db.collection(name));
  await dataVersions(to.db).updateOne({ _id: 'data' }, { $unset: { moving: true } });
  return moved;
}

/** Marks the target as incomplete, so that no service starts on it. */
async function beginMove(from: OpenData, to: OpenData): Promise<void> {
  const version = await dataVersions(from.db).findOne({ _id: 'data' });
  if (version === null) throw new CommandError(`There is no data in ${from.description}`);
  if (version.moving) throw new CommandError(`${from.description} is incomplete: the move to it was interrupted`);
  const there = await dataVersions(to.db).findOne({ _id: 'data' });
  if (!there?.moving && (there !== null || !(await isEmpty(to.db))))
    throw new CommandError(`${to.description} already has data; give an empty database in --to`);
  await dataVersions(to.db).replaceOne({ _id: 'data' }, { ...version, lease: null, moving: true }, { upsert: true });
}

/** Names of the collections with documents to copy; the version of the data is written apart, and messages of servers are not. */
async function collectionNames(db: mongo.Db): Promise<string[]> {
  const found = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  const { collectionName: version } = dataVersions(db);
  const isApart = (name: string) => name.startsWith('system.') || name === version || isOfMessages(name);
  return found
    .map(({ name }) => name)
    .filter((name) => !isApart(name))
    .sort();
}

/** Copies in the order of `_id`, so that what an interrupted run has copied ends with the greatest one. */
async function copyCollection(
  from: mongo.Collection,
  to: mongo.Collection,
  report: (copied: number) => void,
): Promise<number> {
  const last = await to.findOne({}, { ...AS_STORED, projection: { _id: 1 }, sort: { _id: -1 } });
  const cursor = from.find(last === null ? {} : { _id: { $gt: last._id } }, AS_STORED).sort({ _id: 1 });
  let copied = 0;
  while (await cursor.hasNext()) {
    const batch = cursor.readBufferedDocuments();
    await to.insertMany(batch);
    copied += batch.length;
    report(copied);
  }
  return copied;
}

/** @throws CommandError if the documents are not equal */
async function compareCollections(name: string, from: OpenData, to: OpenData) {
  const filter = await lastingDocuments(from.db.collection(name));
  const [here, there] = await Promise.all([from, to].map(({ db }) => digestOf(db.collection(name), filter)));
  if (here === undefined || there === undefined || here.sha256 !== there.sha256) {
    throw new CommandError(
      `The collection ${name} differs: ${here?.documents} documents in ${from.description}, ${there?.documents} in ` +
        `${to.description}; stop all services, remove the data in ${to.description}, and move again`,
    );
  }
  return here;
}

/** The filter of documents that do not expire while they are compared. */
async function lastingDocuments(collection: mongo.Collection): Promise<mongo.Filter<mongo.Document>> {
  const limit = Date.now() + EXPIRING_WITHIN_MS;
  const expiring = (await collection.indexes()).flatMap(({ key, expireAfterSeconds }) =>
    expireAfterSeconds === undefined
      ? []
      : Object.keys(key).map((field) => ({ [field]: { $lte: new Date(limit - expireAfterSeconds * 1000) } })),
  );
  return expiring.length === 0 ? {} : { $nor: expiring };
}

async function digestOf(
  collection: mongo.Collection,
  filter: mongo.Filter<mongo.Document>,
): Promise<Pick<MovedCollection, 'documents' | 'sha256'>> {
  const hash = createHash('sha256');
  let documents = 0;
  for await (const bytes of collection.find<Buffer>(filter, { raw: true }).sort({ _id: 1 })) {
    hash.update(bytes);
    documents += 1;
  }
  return { documents, sha256: hash.digest('hex') };
}

/** Makes the indexes, also those that an operator has added. They come last: an index that expires documents removes some. */
async function copyIndexes(from: mongo.Collection, to: mongo.Collection): Promise<void> {
  const indexes = (await from.indexes()).filter(({ name }) => name !== '_id_');
  for (const { key, v: _version, ns: _namespace, ...options } of indexes) await to.createIndex(key, options);
}
