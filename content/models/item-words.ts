import mongoose from 'mongoose';

import { collectionOptions } from '../../models/store/collection-options.ts';
import { BATCH_SIZE } from '../../models/store/plain-store.ts';
import { insertIfAbsent } from '../../models/store/duplicate-key.ts';
import { ANY_MARK, markOf, marksOf, searchedParts, wordsOf } from '../../models/words-of.ts';

import { storeWords, wordsWith } from './search-word.ts';
import { PlainStore } from '../../models/store/plain-store.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * The words by which a search finds an item, apart from the item, which everybody reads. They are written before the item and
 * are only added to, so that they are never fewer than the item's, whoever else changes it: what is found by them is compared.
 */
interface StoredItemWords {
  /** Id of the item. */
  readonly _id: number;
  /** A mark of every word, see {@link markOf}; {@link ANY_MARK} stands for all. */
  readonly marks: readonly string[];
}

const schema = new mongoose.Schema<StoredItemWords>(
  { _id: { type: Number, required: true }, marks: [String] },
  collectionOptions('content_item_words'),
);
schema.index({ marks: 1 });

/** The words of each item. */
export const ItemWordsStore = new PlainStore<StoredItemWords>('ContentItemWords', schema);

/** Maximum numbers of words and of items that are looked up; beyond, the index would leave too many items over. */
const MAX_WORDS = 500;
const MAX_ITEMS = 2000;

/** Words up to which a part of a text is rare: few items have it, whatever other parts they must have as well. */
const FEW_WORDS = 10;

/** The texts of an item in which a search looks. */
export interface SearchedTexts {
  readonly type: string;
  readonly title: string;
  readonly excerpt: string;
  readonly content: string;
  readonly file: string;
}

const TEXTS = ['title', 'excerpt', 'content', 'file'] as const;

/**
 * Lets searches find an item by the texts that it is about to have.
 *
 * @param before the item as it was read, if it is there
 */
export async function indexItem(
  service: Service,
  item: SearchedTexts & { readonly id: number },
  before?: SearchedTexts,
): Promise<void> {
  if (item.type === 'revision' || (before && TEXTS.every((name) => item[name] === before[name]))) return;
  const words = wordsOf(TEXTS.map((name) => item[name]));
  if (words) await storeWords(service, words);
  await addMarks(service, item.id, marksOf(words));
}

async function addMarks(service: Service, _id: number, marks: readonly string[]): Promise<void> {
  const stored = await ItemWordsStore.findOne(service, { _id });
  if (!stored && (await insertIfAbsent(() => ItemWordsStore.insertMany(service, [{ _id, marks }], { lean: true }))))
    return;
  const known = new Set(stored?.marks);
  const added = marks.filter((mark) => !known.has(mark));
  if (added.length > 0) await ItemWordsStore.updateOne(service, { _id }, { $addToSet: { marks: { $each: added } } });
}

/** Removes the words of an item that is deleted. */
export async function removeItemWords(service: Service, id: number): Promise<void> {
  await ItemWordsStore.deleteOne(service, { _id: id });
}

/**
 * Finds the items among which all are that have some texts.
 *
 * @returns their ids, and those of others; undefined where they are many
 */
export async function itemsWith(service: Service, texts: readonly string[]): Promise<readonly number[] | undefined> {
  const parts = [...new Set(texts.flatMap(searchedParts))];
  const found = (await Promise.all(parts.map((part) => wordsWith(service, part, MAX_WORDS)))).filter(
    (words) => words !== undefined,
  );
  if (found.length === 0) return undefined;
  const rare = found.find((words) => words.length <= FEW_WORDS);
  const wanted = (rare ? [rare] : found).map((words) => ({ marks: { $in: [...words.map(markOf), ANY_MARK] } }));
  const items = await ItemWordsStore.find(service, { $and: wanted }, { _id: 1 })
    .limit(MAX_ITEMS + 1)
    .batchSize(BATCH_SIZE);
  return items.length > MAX_ITEMS ? undefined : items.map(({ _id }) => _id);
}
