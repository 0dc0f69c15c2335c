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

/**
 * Makes the filters of a search: those of {@link textFilters}, and the candidates from the index.
 *
 * @param columns the texts in which it looks, all of them if empty
 */
export async function itemSearch(
  service: Service,
  search: string,
  columns: readonly string[] = [],
): Promise<ItemSearch> {
  const filters = textFilters(search, columns);
  const ids = await itemsWith(
    service,
    termsOf(search).filter((term) => !isExcluded(term)),
  );
  return ids ? { filters: [{ id: { $in: [...ids] } }, ...filters], isNarrow: true } : { filters, isNarrow: false };
}

/** Filters of the texts: each word occurs in the title, excerpt, content or file name; `-word` in none of them. */
export function textFilters(search: string, columns: readonly string[] = []): FilterOf<StoredItem>[] {
  const chosen = Object.entries(COLUMNS).flatMap(([column, name]) => (columns.includes(column) ? [name] : []));
  return termsOf(search).map((term) => filterOf(term, chosen.length > 0 ? chosen : ALL_TEXTS));
}

const ALL_TEXTS = ['title', 'excerpt', 'content', 'file'] as const;

function isExcluded(term: string): boolean {
  return term.startsWith('-') && term.length > 1;
}

function filterOf(term: string, texts: readonly (typeof ALL_TEXTS)[number][]): FilterOf<StoredItem> {
  const pattern = patternOf(isExcluded(term) ? term.slice(1) : term);
  const places = texts.map((name) => ({ [name]: pattern }) as FilterOf<StoredItem>);
  return isExcluded(term) ? { $nor: places } : { $or: places };
}

/** Names of the texts in which a search looks, as `search_columns` has them. */
const COLUMNS = { post_title: 'title', post_excerpt: 'excerpt', post_content: 'content' } as const;

/** An item that a search has found, without its long texts. */
export type FoundItem = Pick<StoredItem, 'id' | 'date' | 'title'>;

/**
 * Ranks the items of a search, 1 being the best match: the whole text in the title, all words there, one of them, the whole
 * text in the excerpt, in the content, and the rest. Of one word, only the title counts; if words are excluded, the
 * whole text counts nowhere. Source: WordPress's `parse_search_order`.
 *
 * @param idsWith returns the ids of those items that have a text in a field
 */
export async function relevanceTo(
  search: string,
  idsWith: (filter: FilterOf<StoredItem>) => Promise<readonly number[]>,
): Promise<(item: FoundItem) => number> {
  const terms = termsOf(search).filter((term) => !term.startsWith('-'));
  const has = (text: string, term: string) => text.toLowerCase().includes(term.toLowerCase());
  if (phrasesOf(search).length <= 1) return ({ title }) => (has(title, terms[0] ?? search) ? 1 : 2);
  const countsWhole = !/(?:\s|^)-/.test(search);
  const [excerpts, contents] = await Promise.all(
    (['excerpt', 'content'] as const).map(
      async (field) => new Set(countsWhole ? await idsWith({ [field]: patternOf(search) }) : []),
    ),
  );
  return ({ id, title }) => {
    if (countsWhole && has(title, search)) return 1;
    if (terms.length < MAX_RANKED) {
      if (terms.length > 0 && terms.every((term) => has(title, term))) return 2;
      if (terms.some((term) => has(title, term))) return 3;
    }
    if (excerpts?.has(id)) return 4;
    return contents?.has(id) ? 5 : 6;
  };
}

function patternOf(text: string) {
  return { $regex: literalPattern(text), $options: 'i' };
}
