import type { FilterOf } from '../../models/store/plain-store.ts';

import { ContentItemStore, foldText } from '../models/content-item.ts';
import { totalBy } from '../models/list-totals.ts';
import { type StoredTerm, TermStore } from '../models/term.ts';
import { typesWithTerms } from '../schema/kinds/content-kinds.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import { isTruthy } from '../schema/php-values.ts';
import type { CATEGORY_LIST } from '../schema/parameters/term-parameters.ts';
import { literalPattern } from '../../models/literal-pattern.ts';
import { requestedSlug, slugOf } from '../rendering/slug.ts';
import type { TermKind } from '../schema/kinds/term-kinds.ts';

import { idsAboveUsed } from './term-view.ts';
import type { Service } from '../../models/store/service.ts';

/** Arguments of a list of terms; `parent` is given for categories, `offset` for tags. */
export type TermListArguments = ParametersOf<typeof CATEGORY_LIST> & { readonly offset?: number };

type Filter = FilterOf<StoredTerm>;

/** The terms of a taxonomy that a list asks for, in its order. */
export async function listTerms(
  service: Service,
  kind: TermKind,
  args: TermListArguments,
): Promise<{ terms: readonly StoredTerm[]; total: number; page: number }> {
  const filter = await filterOf(service, kind, args);
  const hidesEmpty = args.hide_empty && !args.post;
  const start = args.offset ? args.offset : (args.page - 1) * args.per_page;
  const page = Math.ceil(start / args.per_page + 1);
  const shown = hidesEmpty ? { $and: [filter, await usedOrAbove(service, kind)] } : filter;
  const skip = Math.abs(start);
  const terms = await inOrder(service, shown, args, skip);
  // Parents of used categories are shown, but not counted.
  const total = hidesEmpty
    ? await TermStore.countDocuments(service, { $and: [filter, USED] })
    : await totalBy({ found: terms.length, skip, limit: args.per_page }, () =>
        TermStore.countDocuments(service, filter),
      );
  return { terms, total, page };
}

const USED: Filter = { count: { $gt: 0 } };

/** Terms with posts, and their parent categories. */
async function usedOrAbove(service: Service, { isTree }: TermKind): Promise<Filter> {
  return isTree ? { $or: [USED, { id: { $in: await idsAboveUsed(service) } }] } : USED;
}

async function filterOf(service: Service, kind: TermKind, args: TermListArguments): Promise<Filter> {
  const parts: Filter[] = [{ taxonomy: kind.taxonomy }];
  if (namesIds(args.include)) parts.push({ id: { $in: args.include.map(Math.abs) } });
  else if (args.include.length === 0) parts.push({ id: { $nin: args.exclude.map(Math.abs) } });
  if (args.parent !== undefined) parts.push({ parent: args.parent });
  if (args.slug?.length) parts.push({ slug: { $in: args.slug.map(slugOf) } });
  if (isTruthy(args.search)) parts.push(searchedTerms(args.search ?? ''));
  if (args.post) parts.push({ id: { $in: await termsOf(service, args.post, kind) } });
  return { $and: parts };
}

/** Returns true if a list of ids has an effect: the id 0 alone has none, as in the reference. */
function namesIds(ids: readonly number[]): boolean {
  return isTruthy(ids.join());
}

/** Searches name and slug, without regard to case and accents. */
export function searchedTerms(search: string): Filter {
  const pattern = { $regex: literalPattern(foldText(search)) };
  return { $or: [{ name_folded: pattern }, { slug: pattern }] };
}

async function termsOf(service: Service, post: number, kind: TermKind): Promise<number[]> {
  const { field } = kind;
  const item = await ContentItemStore.findOne(service, { id: post, type: { $in: typesWithTerms(kind) } }).select({
    _id: 0,
    [field]: 1,
  });
  return [...(item?.[field] ?? [])];
}

/** Ties are ordered by id, regardless of the direction. */
async function inOrder(
  service: Service,
  filter: Filter,
  args: TermListArguments,
  start: number,
): Promise<StoredTerm[]> {
  const compare = ownOrder(args);
  const terms = TermStore.find(service, filter).select({ _id: 0 });
  if (!compare) {
    return terms.sort(sortOf(args)).skip(start).limit(args.per_page);
  }
  const all = await terms.sort({ id: 1 });
  return all.sort(compare).slice(start, start + args.per_page);
}

/** The order of the database; for undefined fields of the reference, which are all equal, that of the ids. */
function sortOf({ orderby, order }: TermListArguments): Record<string, 1 | -1> {
  const direction = order === 'desc' ? -1 : 1;
  switch (orderby) {
    case 'id':
      return { id: direction };
    case 'term_group':
      return { id: 1 };
    case 'slug':
      return { slug: direction, id: 1 };
    case 'count':
      return { count: direction, id: 1 };
    default:
      return { name_folded: direction, id: 1 };
  }
}

/** Orders without an index: that of the request, and that of texts that may be long. */
function ownOrder(args: TermListArguments): ((one: StoredTerm, other: StoredTerm) => number) | undefined {
  const direction = args.order === 'desc' ? -1 : 1;
  const { orderby, include, slug = [] } = args;
  if (orderby === 'description') {
    return (one, other) => direction * compareText(foldText(one.description), foldText(other.description));
  }
  if (orderby === 'include' && namesIds(include)) {
    const ids = include.map(Math.abs);
    return (one, other) => direction * (ids.indexOf(one.id) - ids.indexOf(other.id));
  }
  if (orderby === 'include_slugs' && slug.length > 0) {
    const asked = slug.map(requestedSlug);
    return (one, other) => direction * (asked.indexOf(one.slug) - asked.indexOf(other.slug));
  }
  return undefined;
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
