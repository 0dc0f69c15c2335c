import { type StoredTerm, TermStore } from '../models/term.ts';
import type { Category } from '../schema/records/term.ts';
import type { ContentContext } from '../access/content-context.ts';
import { loadAbove, upFrom } from '../access/permalink.ts';
import type { TermKind } from '../schema/kinds/term-kinds.ts';
import type { ViewOf } from '../schema/content-field.ts';

import { ContentError } from '../schema/content-error.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * The term of a taxonomy that an id names.
 *
 * @throws ContentError `rest_term_invalid`
 */
export async function findTerm(service: Service, { taxonomy }: TermKind, id: unknown): Promise<StoredTerm> {
  const isId = typeof id === 'number' && id > 0;
  const term = isId ? await TermStore.findOne(service, { id, taxonomy }).select({ _id: 0 }) : null;
  if (!term) throw noTerm();
  return term;
}

/** Error for an id that names no term. */
export function noTerm(): ContentError {
  return new ContentError('rest_term_invalid', 'Term does not exist.', 404);
}

/** Shows terms as records; their ancestors are read together. The parent of a tag is not shown. */
export async function showTerms(
  kind: TermKind,
  terms: readonly StoredTerm[],
  { service, site }: ContentContext,
): Promise<ViewOf<Category>[]> {
  const find = await loadAncestors(service, terms);
  return terms.map((term) => ({
    ...term,
    link: () => termLink(kind, term, site, find),
    meta: [],
  }));
}

/** Shows one term. */
export async function showTerm(kind: TermKind, term: StoredTerm, context: ContentContext): Promise<ViewOf<Category>> {
  const [shown] = await showTerms(kind, [term], context);
  if (!shown) throw new Error('A term is shown as one record');
  return shown;
}

/** The address at which the website lists the posts of a term: below the slugs of the categories above it. */
export function termLink(kind: TermKind, term: StoredTerm, site: string, find: FindTerm): string {
  const slugs = [...upFrom<PlacedTerm>(term, find)].map(({ slug }) => slug);
  return `${site}/${kind.base}/${slugs.reverse().join('/')}/`;
}

/** A term with its place in the tree. */
export type PlacedTerm = Pick<StoredTerm, 'id' | 'parent' | 'slug'>;

/** Finds a term by its id. */
export type FindTerm = (id: number) => PlacedTerm | undefined;

/** Finds terms and their ancestors. */
export async function loadAncestors(service: Service, terms: readonly PlacedTerm[]): Promise<FindTerm> {
  const find = (ids: number[]) =>
    TermStore.find(service, { id: { $in: ids } }).select({ _id: 0, id: 1, parent: 1, slug: 1 });
  return loadAbove<PlacedTerm>(terms, find, new Map(terms.map((term) => [term.id, term])));
}

/** The ids of categories with a descendant that has posts. */
export async function idsAboveUsed(service: Service): Promise<number[]> {
  const terms = await TermStore.find(service, { taxonomy: 'category' }).select({
    _id: 0,
    id: 1,
    parent: 1,
    slug: 1,
    count: 1,
  });
  const byId = new Map(terms.map((term) => [term.id, term]));
  const used = terms.filter(({ count }) => count > 0);
  const above = used.flatMap((term) => [...upFrom(term, (id) => byId.get(id))].slice(1));
  return [...new Set(above.map(({ id }) => id))];
}

/** The parent that a term gets if `wanted` is requested: none if the term would become its own descendant. */
export async function parentWithoutLoop(service: Service, id: number, wanted: number): Promise<number> {
  const parent = wanted === 0 ? null : await TermStore.findOne(service, { id: wanted }).select({ _id: 0 });
  if (!parent) return 0;
  const branch = upFrom<PlacedTerm>(parent, await loadAncestors(service, [parent]));
  return [...branch].some((above) => above.id === id) ? 0 : wanted;
}
