import type { mongo } from 'mongoose';

import { insertMissing } from '../../store/duplicate-key.ts';
import { GRAM_LENGTH, gramsOf } from '../../n-grams.ts';
import { marksOf, wordsOf } from '../../words-of.ts';
import type { Migration } from './migration.ts';

/** Items whose words are stored together: a long text has thousands. */
const BATCH = 50;

/** Fields of items that are read; of these, a search looks in the texts. */
const TEXTS = ['title', 'excerpt', 'content', 'file'] as const;
const READ = { _id: 1, id: 1, version: 1, ...Object.fromEntries(TEXTS.map((name) => [name, 1])) } as const;

const SEARCHED = { type: { $ne: 'revision' } };

interface OldItem {
  readonly _id: mongo.ObjectId;
  readonly id: number;
  readonly version?: string;
  readonly title?: string;
  readonly excerpt?: string;
  readonly content?: string;
  readonly file?: string;
}

interface ItemWords {
  readonly _id: number;
  /** The version of the item whose words they are; programs that keep them up to date store none. */
  readonly version?: string | null;
  readonly marks: readonly string[];
}

/**
 * Stores the words of every item of the website, by which a search finds it. Older programs would change items without them.
 * Words name the version of the item of which they were made, so that an item that an older program changes meanwhile is
 * read again.
 */
export const itemWords: Migration = {
  number: 9,
  name: 'item-words',
  description: 'Lets searches find posts, pages and media by the words in them',
  pending: async (db) => (await pendingIds(db)).length,
  run: async ({ db, count }) => {
    const ids = await pendingIds(db);
    for (let start = 0; start < ids.length; start += BATCH) {
      const batch = ids.slice(start, start + BATCH);
      const items = await db.collection<OldItem>('content_items').find({ _id: { $in: batch } }, { projection: READ });
      await storeItems(db, await items.toArray());
      await count(batch.length);
    }
  },
};

/** The items without words, or with those of an earlier version. */
async function pendingIds(db: mongo.Db): Promise<mongo.ObjectId[]> {
  const stored = db.collection<ItemWords>('content_item_words').find({}, { projection: { version: 1 } });
  const versions = new Map<number, string | null | undefined>();
  for await (const { _id, version } of stored) versions.set(_id, version);
  const items = db.collection<OldItem>('content_items').find(SEARCHED, { projection: { id: 1, version: 1 } });
  const pending: mongo.ObjectId[] = [];
  for await (const { _id, id, version = null } of items.sort({ _id: 1 })) {
    const known = versions.get(id);
    if (!versions.has(id) || (known !== undefined && known !== version)) pending.push(_id);
  }
  return pending;
}

async function storeItems(db: mongo.Db, items: readonly OldItem[]): Promise<void> {
  const found = items.map((item) => ({ item, words: wordsOf(TEXTS.map((name) => item[name] ?? '')) }));
  await storeWords(db, [...new Set(found.flatMap(({ words }) => words ?? []))]);
  const writes = found.map(({ item: { id, version = null }, words }) => ({
    updateOne: {
      filter: { _id: id },
      update: {
        $addToSet: { marks: { $each: [...marksOf(words)] } },
        $set: { version },
      },
      upsert: true,
    },
  }));
  await db.collection<ItemWords>('content_item_words').bulkWrite(writes, { ordered: false });
}

async function storeWords(db: mongo.Db, words: readonly string[]): Promise<void> {
  if (words.length === 0) return;
  const collection = db.collection<{ readonly _id: string; readonly grams: readonly string[] }>('content_words');
  const stored = await collection.find({ _id: { $in: [...words] } }, { projection: { _id: 1 } }).toArray();
  const known = new Set(stored.map(({ _id }) => _id));
  const added = words.filter((word) => !known.has(word)).map((_id) => ({ _id, grams: gramsOf(_id, GRAM_LENGTH) }));
  if (added.length > 0) await insertMissing(() => collection.insertMany(added, { ordered: false }));
}
