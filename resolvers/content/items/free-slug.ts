import type { QueryFilter } from 'mongoose';

import { ContentItemModel, type ItemType, type StoredItem, UNPUBLISHED } from '../../../models/content/content-item.ts';

/** Whose slug it is to be. */
export interface SlugOwner {
  /** Undefined for an item that is not there yet. */
  readonly id: number | undefined;
  readonly type: ItemType;
  readonly status: string;
  readonly parent: number;
}

/** Greatest length of a slug, a number at its end included. */
const MAX_LENGTH = 200;

/** Slugs that would be addresses of something else. */
const TAKEN = /^(?:feed|rdf|rss|rss2|atom|embed)$/;

/** A page of digits would be an address of a list's page. */
const TAKEN_BELOW_PAGES = /^(?:feed|rdf|rss|rss2|atom|embed|(?:page)?\d+)$/;

/**
 * A slug, and then `slug-2`, `slug-3`, …: those that nothing else in its place has: among posts, among pages and media of
 * one parent, and for media among everything. Another request may take one meanwhile, which the index of
 * `slug_keys` tells; then the next one is to be tried.
 */
export async function* freeSlugs(slug: string, owner: SlugOwner): AsyncGenerator<string> {
  const isFree = slug === '' || UNPUBLISHED.includes(owner.status);
  const isReserved = (owner.type === 'page' ? TAKEN_BELOW_PAGES : TAKEN).test(slug);
  if (isFree || (!isReserved && !(await isUsed(slug, owner)))) yield slug;
  for (let number = 2; !isFree; number++) {
    const suffix = `-${number}`;
    const candidate = cutSlug(slug, MAX_LENGTH - suffix.length) + suffix;
    if (!(await isUsed(candidate, owner))) yield candidate;
  }
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

async function isUsed(slug: string, { id, type, parent }: SlugOwner): Promise<boolean> {
  const place: QueryFilter<StoredItem> =
    type === 'attachment'
      ? { type: { $in: ['post', 'page', 'attachment'] } }
      : type === 'page'
        ? { type: { $in: ['page', 'attachment'] }, parent }
        : { type };
  return (await ContentItemModel.exists({ ...place, slug, ...(id === undefined ? {} : { id: { $ne: id } }) })) !== null;
}
