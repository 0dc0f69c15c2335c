import type { FilterOf } from '../../models/store/plain-store.ts';

import { kindOf, typesWhere } from '../schema/kinds/content-kinds.ts';
import { ContentItemStore, type ItemType, type StoredItem, UNPUBLISHED } from '../models/content-item.ts';
import type { Service } from '../../models/store/service.ts';

/** The item that needs a slug. */
export interface SlugOwner {
  /** Undefined for an item that does not exist yet. */
  readonly id: number | undefined;
  readonly type: ItemType;
  readonly status: string;
  readonly parent: number;
}

/** Maximum length of a slug, including a number at its end. */
const MAX_LENGTH = 200;

/** Slugs with numbers that one query looks up. */
const LOOKED_UP = 10;

/** Slugs that would collide with other addresses. */
const TAKEN = /^(?:feed|rdf|rss|rss2|atom|embed)$/;

/** Slugs of top-level pages that would collide with addresses of the service: its interfaces, and the list of posts. */
const TAKEN_AT_TOP = /^(?:api|blog|graphql|oauth|wp-json)$/;

/** A page whose slug is a number would have the address of a page of a list. */
const TAKEN_BELOW_PAGES = /^(?:feed|rdf|rss|rss2|atom|embed|(?:page)?\d+)$/;

/**
 * A slug, and then `slug-2`, `slug-3`, …: those that are free in its place: among posts, among pages and media of
 * one parent, and for media among everything. Another request may take one meanwhile, which the index of
 * `slug_keys` reports; then the next one must be tried.
 */
export async function* freeSlugs(service: Service, slug: string, owner: SlugOwner): AsyncGenerator<string> {
  const isFree = slug === '' || UNPUBLISHED.includes(owner.status);
  if (isFree || (!isReserved(slug, owner) && !(await usedOf(service, [slug], owner)).has(slug))) yield slug;
  for (let number = 2; !isFree; number += LOOKED_UP) {
    const candidates = Array.from({ length: LOOKED_UP }, (_, at) => numbered(slug, number + at));
    const used = await usedOf(service, candidates, owner);
    yield* candidates.filter((candidate) => !used.has(candidate));
  }
}

function isReserved(slug: string, { type, parent }: SlugOwner): boolean {
  if (kindOf(type)?.address !== 'nested') return TAKEN.test(slug);
  return TAKEN_BELOW_PAGES.test(slug) || (parent === 0 && TAKEN_AT_TOP.test(slug));
}

function numbered(slug: string, number: number): string {
  const suffix = `-${number}`;
  return cutSlug(slug, MAX_LENGTH - suffix.length) + suffix;
}

/** The slug that an item has, and then those of {@link freeSlugs}. */
export async function* ownSlugOrFree(
  service: Service,
  { slug, ...owner }: SlugOwner & { readonly slug: string },
): AsyncGenerator<string> {
  yield slug;
  yield* freeSlugs(service, slug, owner);
}

/** Cuts a slug, but never in the middle of a percent-encoded character. */
export function cutSlug(slug: string, length: number): string {
  if (slug.length <= length) return slug;
  const cut = slug.slice(0, length).replace(/%[0-9a-f]?$/i, '');
  for (let end = cut.length; end > 0; end -= 3) {
    const part = cut.slice(0, end);
    if (isWhole(part)) return part.replace(/-+$/, '');
  }
  return cut;
}

function isWhole(slug: string): boolean {
  try {
    decodeURIComponent(slug);
    return true;
  } catch {
    return false;
  }
}

/** The given slugs that are taken by items with which this one may not share them. */
async function usedOf(service: Service, slugs: readonly string[], owner: SlugOwner): Promise<ReadonlySet<string>> {
  const { id } = owner;
  const others = { ...placeOf(owner), slug: { $in: [...slugs] }, ...(id === undefined ? {} : { id: { $ne: id } }) };
  const found = await ContentItemStore.find(service, others).select({ _id: 0, slug: 1 });
  return new Set(found.map(({ slug }) => slug));
}

/** The items with which an item may not share its slug. */
function placeOf({ type, parent }: SlugOwner): FilterOf<StoredItem> {
  switch (kindOf(type)?.address) {
    case 'attached':
      return { type: { $in: typesWhere(() => true) } };
    case 'nested':
      return { type: { $in: typesWhere(({ address }) => address !== 'dated') }, parent };
    default:
      return { type };
  }
}
