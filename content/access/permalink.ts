import type { StoredItem } from '../models/content-item.ts';
import { kindOf } from '../schema/kinds/content-kinds.ts';
import { isNumeric } from '../schema/php-values.ts';

/** Fields of an item from which its address is built. */
export type AddressedItem = Pick<StoredItem, 'id' | 'type' | 'status' | 'date' | 'slug' | 'parent'>;

/** The stored fields from which an address is built. */
export const ADDRESSED = { _id: 0, id: 1, type: 1, status: 1, date: 1, slug: 1, parent: 1 } as const;

/** Finds the parent of an item: the page above a page, the post of an attachment. */
export type FindParent = (id: number) => AddressedItem | undefined;

/** Statuses in which an item has no address of its own yet: it is shown by its number. */
const UNADDRESSED = ['draft', 'pending', 'auto-draft'];

/**
 * The address at which the website shows an item: `/{year}/{month}/{day}/{slug}/` for posts, the slugs of the pages
 * above it for a page, and below its post for an attachment.
 *
 * @param site the website's address without a trailing slash
 */
export function permalinkOf(item: AddressedItem, site: string, parentOf: FindParent): string {
  const form = kindOf(item.type)?.address;
  if (form === 'attached') return attachmentLink(item, site, parentOf);
  const hasNone = UNADDRESSED.includes(item.status);
  if (form === 'nested') return hasNone ? `${site}/?page_id=${item.id}` : `${site}/${pathOf(item, parentOf)}/`;
  if (hasNone || item.status === 'future') return `${site}/?p=${item.id}`;
  return `${site}/${item.date.slice(0, 10).replaceAll('-', '/')}/${item.slug}/`;
}

/** The slugs from the topmost page down to this one; drafts may have none. */
export function pathOf(item: AddressedItem, parentOf: FindParent): string {
  const [own, ...above] = [...upFrom(item, parentOf)].map(({ slug }) => slug);
  return [own, ...above.filter(Boolean)].reverse().join('/');
}

function attachmentLink(item: AddressedItem, site: string, parentOf: FindParent): string {
  const parent = item.parent === 0 ? undefined : parentOf(item.parent);
  if (!parent) return `${site}/${item.slug}/`;
  const above = permalinkOf(parent, site, parentOf);
  if (above.includes('?')) return `${site}/?attachment_id=${item.id}`;
  // A number below a post would address one of its pages.
  return `${above}${isNumeric(item.slug) ? `${ATTACHED}/` : ''}${item.slug}/`;
}

/** Prefix of a numeric slug of an attachment with an address below a post. */
export const ATTACHED = 'attachment';

/** A record of a tree. */
interface Placed {
  readonly id: number;
  readonly parent: number;
}

/** A record and its ancestors, from the record up. A cycle ends the list. */
export function* upFrom<T extends Placed>(start: T, parentOf: (id: number) => T | undefined): Generator<T> {
  const seen = new Set<number>();
  for (let at: T | undefined = start; at && !seen.has(at.id); at = parentOf(at.parent)) {
    seen.add(at.id);
    yield at;
  }
}

/** Maximum depth of a tree whose branches are followed to the top. */
const MAX_DEPTH = 20;

/** Reads the ancestors of records, except those already known: one query per level. */
export async function loadAbove<T extends Placed>(
  records: readonly Pick<T, 'parent'>[],
  find: (ids: number[]) => PromiseLike<readonly T[]>,
  known = new Map<number, T>(),
): Promise<(id: number) => T | undefined> {
  let wanted = records.map(({ parent }) => parent);
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const ids = [...new Set(wanted)].filter((id) => id !== 0 && !known.has(id));
    if (ids.length === 0) break;
    const above = await find(ids);
    for (const record of above) known.set(record.id, record);
    wanted = above.map(({ parent }) => parent);
  }
  return (id) => known.get(id);
}
