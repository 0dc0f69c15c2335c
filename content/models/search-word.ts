import mongoose from 'mongoose';

import { collectionOptions } from '../../models/store/collection-options.ts';
import { insertMissing } from '../../models/store/duplicate-key.ts';
import { GRAM_LENGTH, gramsOf, searchedGrams } from '../../models/n-grams.ts';
import { isUnspaced } from '../../models/words-of.ts';
import { PlainStore } from '../../models/store/plain-store.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * A word that stands in some item, or once did. A search finds words by any part of them, and items by whole words, of which
 * they have far fewer than grams. Words are stored before the items that have them, and stay: another writer may be about to
 * store an item with a word that no item has any more.
 */
interface StoredWord {
  readonly _id: string;
  /** Its sequences of {@link GRAM_LENGTH} characters. */
  readonly grams: readonly string[];
}

const schema = new mongoose.Schema<StoredWord>(
  { _id: { type: String, required: true }, grams: [String] },
  collectionOptions('content_words'),
);
schema.index({ grams: 1 });

/** The words of all items. */
export const SearchWordStore = new PlainStore<StoredWord>('ContentWord', schema);

/** Stores those of the words that are new. */
export async function storeWords(service: Service, words: readonly string[]): Promise<void> {
  const stored = await SearchWordStore.find(service, { _id: { $in: [...words] } }, { _id: 1 });
  const known = new Set(stored.map(({ _id }) => _id));
  const added = words.filter((word) => !known.has(word)).map((_id) => ({ _id, grams: gramsOf(_id, GRAM_LENGTH) }));
  if (added.length === 0) return;
  await insertMissing(() => SearchWordStore.insertMany(service, added, { ordered: false, lean: true }));
}

/**
 * Finds the words that contain a part: those that have its grams, nearly all of which have them one after another. Comparing them
 * here spares the database reading the words themselves.
 *
 * @returns undefined where more than a limit have its grams
 */
export async function wordsWith(service: Service, part: string, limit: number): Promise<readonly string[] | undefined> {
  if (isUnspaced(part)) return [part];
  const found = await SearchWordStore.find(service, { grams: { $all: [...searchedGrams(part)] } }, { _id: 1 })
    .limit(limit + 1)
    .batchSize(limit + 1);
  return found.length > limit ? undefined : found.map(({ _id }) => _id).filter((word) => word.includes(part));
}
