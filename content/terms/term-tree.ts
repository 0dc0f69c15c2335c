import { upFrom } from '../access/up-from.ts';
import { type StoredTerm, TermModel } from '../models/term.ts';

/** A term as its place in the tree is told. */
export type PlacedTerm = Pick<StoredTerm, 'id' | 'parent' | 'slug'>;

/** Finds a term by its id. */
export type FindTerm = (id: number) => PlacedTerm | undefined;

/** Deepest tree whose branches are followed to the top. */
const MAX_DEPTH = 20;

/** Reads the terms above some terms up to the top: one query for each level. */
export async function loadAncestors(terms: readonly PlacedTerm[]): Promise<FindTerm> {
  const found = new Map(terms.map((term) => [term.id, term]));
  let wanted = terms.map(({ parent }) => parent);
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const ids = [...new Set(wanted)].filter((id) => id !== 0 && !found.has(id));
    if (ids.length === 0) break;
    const above = await TermModel.find({ id: { $in: ids } })
      .select({ _id: 0, id: 1, parent: 1, slug: 1 })
      .lean<PlacedTerm[]>();
    for (const term of above) found.set(term.id, term);
    wanted = above.map(({ parent }) => parent);
  }
  return (id) => found.get(id);
}

/** The ids of the categories below which, at any depth, some category has posts. */
export async function idsAboveUsed(): Promise<number[]> {
  const terms = await TermModel.find({ taxonomy: 'category' })
    .select({ _id: 0, id: 1, parent: 1, slug: 1, count: 1 })
    .lean<(PlacedTerm & Pick<StoredTerm, 'count'>)[]>();
  const byId = new Map(terms.map((term) => [term.id, term]));
  const used = terms.filter(({ count }) => count > 0);
  const above = used.flatMap((term) => [...upFrom(term, (id) => byId.get(id))].slice(1));
  return [...new Set(above.map(({ id }) => id))];
}

/** The parent that a term gets when `wanted` is asked for: none where the term would come to lie below itself. */
export async function parentWithoutLoop(id: number, wanted: number): Promise<number> {
  const parent =
    wanted === 0 ? null : await TermModel.findOne({ id: wanted }).select({ _id: 0 }).lean<StoredTerm | null>();
  if (!parent) return 0;
  const branch = upFrom<PlacedTerm>(parent, await loadAncestors([parent]));
  return [...branch].some((above) => above.id === id) ? 0 : wanted;
}
