import type { mongo } from 'mongoose';

import { isDuplicateKey } from '../../store/duplicate-key.ts';

import type { OldDocument } from './change-each.ts';
import type { Migration } from './migration.ts';

/** Documents that one command reads or writes. */
const BATCH = 500;

/** Maximum length of a slug, including a number at its end. */
const MAX_LENGTH = 200;

/** Items that need a unique slug in their place and have no stored key for it yet. */
const PENDING: mongo.Filter<mongo.BSON.Document> = {
  type: { $in: ['post', 'page', 'attachment'] },
  status: { $nin: ['draft', 'pending', 'auto-draft'] },
  slug: { $gt: '' },
  slug_keys: { $exists: false },
};

/**
 * Makes the slugs of items in the same place unique: the oldest item keeps its slug, others get the first free number. Unique
 * slugs are kept first, so that no number takes the slug of an item that has it already.
 */
export const slugKeys: Migration = {
  number: 2,
  name: 'slug-keys',
  description: 'Gives every post, page and attachment a unique address',
  pending: (db) => db.collection('content_items').countDocuments(PENDING),
  run: async ({ db, count }) => {
    const items = db.collection('content_items');
    await items.createIndex({ slug_keys: 1 }, { unique: true, sparse: true });
    for await (const batch of pendingBatches(items)) await count(await keepSlugs(items, batch));
    for await (const batch of pendingBatches(items)) {
      for (const item of batch) await numberSlug(items, item);
      await count(batch.length);
    }
  },
};

/** Pending items in the order of their numbers, in batches; each is passed only once, even if it stays pending. */
async function* pendingBatches(items: mongo.Collection): AsyncGenerator<OldDocument[]> {
  const projection = { id: 1, type: 1, status: 1, parent: 1, slug: 1 };
  for (let after = 0; ; ) {
    const filter = { ...PENDING, id: { $gt: after } };
    const batch = await items.find(filter, { projection }).sort({ id: 1 }).limit(BATCH).toArray();
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    after = last.id;
  }
}

/** Lets items keep their slugs if nothing else in their place has them. */
async function keepSlugs(items: mongo.Collection, batch: readonly OldDocument[]): Promise<number> {
  const writes = batch.map((item) => ({
    updateOne: { filter: asRead(item), update: { $set: { slug_keys: slugKeysOf(item, item.slug) } } },
  }));
  try {
    return (await items.bulkWrite(writes, { ordered: false })).modifiedCount;
  } catch (error) {
    if (!isDuplicateKey(error) || !(error instanceof Error && 'result' in error)) throw error;
    return (error.result as mongo.BulkWriteResult).modifiedCount;
  }
}

/** Gives an item the first of `slug-2`, `slug-3`, … that is free. */
async function numberSlug(items: mongo.Collection, item: OldDocument): Promise<void> {
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const slug = shortened(String(item.slug), MAX_LENGTH - suffix.length) + suffix;
    if (await items.findOne({ slug, type: { $ne: 'revision' } }, { projection: { _id: 1 } })) continue;
    try {
      await items.updateOne(asRead(item), { $set: { slug, slug_keys: slugKeysOf(item, slug) } });
      return;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

function asRead({ _id, type, status, parent, slug }: OldDocument): mongo.Filter<mongo.BSON.Document> {
  return { _id, type, status, parent: parent ?? null, slug, slug_keys: { $exists: false } };
}

function slugKeysOf({ type, parent }: OldDocument, slug: string): readonly string[] {
  if (type === 'post') return [`post:${slug}`];
  const below = `child of ${parent ?? 0}:${slug}`;
  return type === 'page' ? [below] : [below, `attachment:${slug}`];
}

/** A slug of limited length; a percent-encoded character at its end is dropped as a whole. */
function shortened(slug: string, length: number): string {
  for (let end = Math.min(slug.length, length); ; end -= 1) {
    try {
      const part = slug.slice(0, end);
      decodeURIComponent(part);
      return part.replace(/-+$/, '');
    } catch {
      if (end === 0) return slug.slice(0, length);
    }
  }
}
