import mongoose from 'mongoose';

import { collectionOptions } from '../../models/store/collection-options.ts';
import { BATCH_SIZE, PlainStore } from '../../models/store/plain-store.ts';
import { insertIfAbsent, insertMissing } from '../../models/store/duplicate-key.ts';
import { ANY_MARK, markOf, marksOf, searchedParts, wordsOf, isUnspaced } from '../../models/words-of.ts';

import type { StoredItem } from './content-item.ts';
import type { Service } from '../../models/store/service.ts';
import { GRAM_LENGTH, gramsOf, searchedGrams } from '../../models/n-grams.ts';

/**
 * A word that occurs in some item, or once did. A search finds words by any part of them, and items by whole words, which
 * are far fewer than grams. Words are stored before the items that have them, and stay: another writer may be about to
 * store an item with a word that no item has any more.
 */
interface StoredWord {
  readonly _id: string;
  /** Its sequences of {@link GRAM_LENGTH} characters. */
  readonly grams: readonly string[];
}

const wordSchema = new mongoose.Schema<StoredWord>(
  { _id: { type: String, required: true }, grams: [String] },
  collectionOptions('content_words'),
);
wordSchema.index({ grams: 1 });

/** The words of all items. */
export const SearchWordStore = new PlainStore<StoredWord>('ContentWord', wordSchema);

/** Maximum number of words that a command looks up: with more, the embedded database would read in another thread. */
const LOOKED_UP = 250;

/** Maximum number of words that are remembered as stored. */
const MAX_KNOWN = 200_000;

/**
 * Stores the new ones of some words.
 *
 * @param known words that are stored; those that it lacks are looked up, and added to it
 */
async function storeWords(service: Service, words: readonly string[], known: Set<string>): Promise<void> {
  const unknown = words.filter((word) => !known.has(word));
  if (known.size + unknown.length > MAX_KNOWN) known.clear();
  for (let at = 0; at < unknown.length; at += LOOKED_UP) {
    const some = unknown.slice(at, at + LOOKED_UP);
    for (const { _id } of await SearchWordStore.find(service, { _id: { $in: some } }, { _id: 1 })) known.add(_id);
    const added = some.filter((word) => !known.has(word)).map((_id) => ({ _id, grams: gramsOf(_id, GRAM_LENGTH) }));
    const insert = () => SearchWordStore.insertMany(service, added, { ordered: false, lean: true });
    if (added.length > 0) await insertMissing(insert);
    for (const word of some) known.add(word);
  }
}

/**
 * Finds the words that contain a part: those that have its grams, nearly all of which have them one after another. Comparing them
 * here saves the database from reading the words themselves.
 *
 * @returns undefined if more than a limit have its grams
 */
async function wordsWith(service: Service, part: string, limit: number): Promise<readonly string[] | undefined> {
  if (isUnspaced(part)) return [part];
  const found = await SearchWordStore.find(service, { grams: { $all: [...searchedGrams(part)] } }, { _id: 1 })
    .limit(limit + 1)
    .batchSize(limit + 1);
  return found.length > limit ? undefined : found.map(({ _id }) => _id).filter((word) => word.includes(part));
}

/**
 * The words by which a search finds an item, apart from the item, which everyone reads. They are written before the item and
 * are only added to, so that they are never fewer than the item's, whoever else changes it; items found by them are compared.
 */
interface StoredItemWords {
  /** Id of the item. */
  readonly _id: number;
  /** A mark for each word, see {@link markOf}; {@link ANY_MARK} stands for all. */
  readonly marks: readonly string[];
}

const schema = new mongoose.Schema<StoredItemWords>(
  { _id: { type: Number, required: true }, marks: [String] },
  collectionOptions('content_item_words'),
);
schema.index({ marks: 1 });

/** The words of each item. */
export const ItemWordsStore = new PlainStore<StoredItemWords>('ContentItemWords', schema);

/** Maximum numbers of words and of items that are looked up; beyond that, the index would leave too many candidates. */
const MAX_WORDS = 500;
const MAX_ITEMS = 2000;

/** Number of words up to which a part of a text counts as rare: few items have such a part. */
const FEW_WORDS = 10;

/** The texts of an item in which a search looks. */
type SearchedTexts = Pick<StoredItem, 'type' | 'title' | 'excerpt' | 'content' | 'file'>;

const TEXTS = ['title', 'excerpt', 'content', 'file'] as const;

/**
 * Makes an item findable by the texts that it is about to get.
 *
 * @param before the item as it was read, if it exists
 */
export async function indexItem(
  service: Service,
  item: SearchedTexts & { readonly id: number },
  before?: SearchedTexts,
): Promise<void> {
  if (item.type === 'revision' || (before && TEXTS.every((name) => item[name] === before[name]))) return;
  const words = wordsOf(TEXTS.map((name) => item[name]));
  if (words) await storeWords(service, words, new Set());
  await addMarks(service, item.id, marksOf(words));
}

/**
 * Makes new items findable, many by a few commands; those that are findable already, one by one.
 *
 * @param known words that the caller knows to be stored, to which those of the items are added
 */
export async function indexItems(
  service: Service,
  items: readonly (SearchedTexts & { readonly id: number })[],
  known: Set<string>,
): Promise<void> {
  const indexed = items.filter(({ type }) => type !== 'revision');
  const words = indexed.map((item) => wordsOf(TEXTS.map((name) => item[name])));
  await storeWords(service, [...new Set(words.flatMap((some) => some ?? []))], known);
  const added = indexed.map(({ id }, at) => ({ _id: id, marks: marksOf(words[at] ?? null) }));
  const insert = () => ItemWordsStore.insertMany(service, added, { ordered: false, lean: true });
  const stored = added.length === 0 ? [] : await insertMissing(insert);
  for (const place of stored) {
    const item = added[place];
    if (item) await addMarks(service, item._id, item.marks);
  }
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
 * Finds candidates that include all items with some texts.
 *
 * @returns their ids; undefined if they are many
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
