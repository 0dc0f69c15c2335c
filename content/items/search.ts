import type { FilterOf } from '../../models/store/plain-store.ts';

import type { StoredItem } from '../models/content-item.ts';
import { itemsWith } from '../models/item-words.ts';
import { literalPattern } from '../../models/literal-pattern.ts';
import type { Service } from '../../models/store/service.ts';

/** Words that are searched for only if there are no others. Source: the stop words of the reference. */
const STOP_WORDS = new Set(
  'about,an,are,as,at,be,by,com,for,from,how,in,is,it,of,on,or,that,the,this,to,was,what,when,where,who,will,with,www'.split(
    ',',
  ),
);

/** Maximum number of words that are searched for separately; with more, the whole text is searched for. */
const MAX_TERMS = 9;

/** Number of words from which they are not ranked separately. */
const MAX_RANKED = 7;

/** Maximum size of a search in bytes; a longer one is ignored. */
const MAX_BYTES = 1600;

/** The search of a list; undefined if there is none, or it is too long. */
export function usableSearch(search: string | undefined): string | undefined {
  return search !== undefined && Buffer.byteLength(search) <= MAX_BYTES ? search : undefined;
}

/** Words of a search, and phrases in quotation marks, as written. */
function phrasesOf(search: string): readonly string[] {
  return [...search.matchAll(/"[^"]*"?|[^\s",+]+/g)].map(([part]) => part);
}

/** Search terms: the phrases without their quotation marks, and without words that are too common or too short. */
function termsOf(search: string): readonly string[] {
  const terms = phrasesOf(search)
    .map((part) => part.replace(/^".+"$/s.test(part) ? /^["']+|["']+$/g : /^["' ]+|["' ]+$/g, ''))
    .filter((term) => term !== '' && term !== '0' && !/^[a-z-]$/i.test(term) && !STOP_WORDS.has(term.toLowerCase()));
  return terms.length === 0 || terms.length > MAX_TERMS ? [search] : terms;
}

/** A search of items. */
export interface ItemSearch {
  /** Filters that the items meet. */
  readonly filters: readonly FilterOf<StoredItem>[];
  /** True if the index leaves few candidates, whose texts are compared. */
  readonly isNarrow: boolean;
}

/** Makes the filters of a search: those of {@link textFilters}, and the candidates from the index. */
export async function itemSearch(service: Service, search: string): Promise<ItemSearch> {
  const filters = textFilters(search);
  const ids = await itemsWith(
    service,
    termsOf(search).filter((term) => !isExcluded(term)),
  );
  return ids ? { filters: [{ id: { $in: [...ids] } }, ...filters], isNarrow: true } : { filters, isNarrow: false };
}

/** Filters of the texts: each word occurs in the title, excerpt, content or file name; `-word` in none of them. */
export function textFilters(search: string): FilterOf<StoredItem>[] {
  return termsOf(search).map(filterOf);
}

function isExcluded(term: string): boolean {
  return term.startsWith('-') && term.length > 1;
}

function filterOf(term: string): FilterOf<StoredItem> {
  const pattern = { $regex: literalPattern(isExcluded(term) ? term.slice(1) : term), $options: 'i' };
  const places = [{ title: pattern }, { excerpt: pattern }, { content: pattern }, { file: pattern }];
  return isExcluded(term) ? { $nor: places } : { $or: places };
}

/**
 * Ranks an item for a search, 1 being the best match: the whole text in the title, all words there, one of them, the whole
 * text in the excerpt, in the content, and the rest. Of one word, only the title counts; if words are excluded, the
 * whole text counts nowhere.
 */
export function relevanceOf({ title, excerpt, content }: StoredItem, search: string): number {
  const terms = termsOf(search).filter((term) => !term.startsWith('-'));
  const has = (text: string, term: string) => text.toLowerCase().includes(term.toLowerCase());
  if (phrasesOf(search).length <= 1) return has(title, terms[0] ?? search) ? 1 : 2;
  const hasWhole = (text: string) => !/(?:\s|^)-/.test(search) && has(text, search);
  if (hasWhole(title)) return 1;
  if (terms.length < MAX_RANKED) {
    if (terms.length > 0 && terms.every((term) => has(title, term))) return 2;
    if (terms.some((term) => has(title, term))) return 3;
  }
  if (hasWhole(excerpt)) return 4;
  return hasWhole(content) ? 5 : 6;
}
