import type { StoredTerm } from '../models/term.ts';
import type { Category } from '../schema/records/term.ts';
import type { ContentContext } from '../access/content-context.ts';
import { upFrom } from '../access/up-from.ts';
import type { TermKind } from '../schema/kinds/term-kinds.ts';
import type { ViewOf } from '../access/view-of.ts';

import { type FindTerm, loadAncestors, type PlacedTerm } from './term-tree.ts';

/** Shows terms as records; those above them are read at once. Of tags the parent is not shown. */
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
