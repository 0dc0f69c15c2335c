import { ContentItemStore, type StoredItem } from '../../models/content-item.ts';
import type { ContentContext } from '../../access/content-context.ts';
import { loadParents } from '../../items/item-extras.ts';
import { listItems } from '../../items/list-items.ts';
import { PAGE } from '../../schema/kinds/content-kinds.ts';
import { ADDRESSED, type FindParent, permalinkOf, type AddressedItem, upFrom } from '../../access/permalink.ts';
import { renderTitle } from '../../rendering/title.ts';

import type { NamedLink } from './article.ts';
import type { Service } from '../../../models/store/service.ts';

/** The published pages around a page. */
export interface PageFamily {
  /** From the top down to its parent. */
  readonly above: readonly NamedLink[];
  /** Directly below it, in the order set by their authors. */
  readonly below: readonly NamedLink[];
}

/** Maximum number of subpages that are listed. */
const MAX_BELOW = 100;

/** Finds the published pages above and below a page. */
export async function familyOf(page: StoredItem, context: ContentContext): Promise<PageFamily> {
  const args = { page: 1, per_page: MAX_BELOW, order: 'asc', orderby: 'menu_order', parent: [page.id] } as const;
  const [{ parentOf }, { items }] = await Promise.all([
    loadParents(context.service, [page]),
    listItems(PAGE, args, context),
  ]);
  const findAbove: FindParent = (id) => (id === page.id ? page : parentOf(id));
  const linked = (item: StoredItem) => linkTo(item, context, findAbove);
  const [, ...ancestors] = upFrom<AddressedItem>(page, parentOf);
  const above = await titled(context.service, ancestors.map(({ id }) => id).toReversed());
  return { above: above.map(linked), below: items.map(linked) };
}

/** Links to an item; `findAbove` finds its ancestors, if its address names them. */
function linkTo(item: StoredItem, { site }: ContentContext, findAbove: FindParent = () => undefined): NamedLink {
  return { name: renderTitle(item.title), link: permalinkOf(item, site, findAbove) };
}

async function titled(service: Service, ids: readonly number[]): Promise<StoredItem[]> {
  if (ids.length === 0) return [];
  const found = await ContentItemStore.find(service, {
    id: { $in: [...ids] },
    type: PAGE.type,
    status: 'publish',
  }).select({ _id: 0, content: 0, excerpt: 0 });
  return found.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

/** Maximum number of pages in the menu. */
const MAX_IN_MENU = 200;

/** The published top-level pages, in the order set by their authors. One query. */
export async function topPages(context: ContentContext): Promise<readonly NamedLink[]> {
  const pages = await ContentItemStore.find(context.service, { type: PAGE.type, status: 'publish', parent: 0 })
    .sort({ menu_order: 1, id: 1 })
    .limit(MAX_IN_MENU)
    .select({ ...ADDRESSED, title: 1 });
  return pages.map((item) => linkTo(item, context));
}

/** Returns true if a published top-level page has this slug. No query unless `pages`, those of the menu, are not all. */
export async function isTopPage(slug: string, pages: readonly NamedLink[], context: ContentContext): Promise<boolean> {
  if (pages.some(({ link }) => link === `${context.site}/${slug}/`)) return true;
  if (pages.length < MAX_IN_MENU) return false;
  const filter = { type: PAGE.type, status: 'publish', parent: 0, slug } as const;
  return (await ContentItemStore.findOne(context.service, filter, { _id: 0, id: 1 })) !== null;
}

/** Number of the page that the settings name as the front page; null if they name none. */
export async function frontPageId(context: ContentContext): Promise<number | null> {
  const { show_on_front, page_on_front } = await context.settings();
  return show_on_front === 'page' && page_on_front !== 0 ? page_on_front : null;
}

/** Returns true if the settings name a published page as the front page. */
export async function hasOwnFront(context: ContentContext): Promise<boolean> {
  const id = await frontPageId(context);
  if (id === null) return false;
  const filter = { id, type: PAGE.type, status: 'publish' } as const;
  return (await ContentItemStore.findOne(context.service, filter, { _id: 0, id: 1 })) !== null;
}

/** The posts before and after one, by their dates. */
export interface AdjacentPosts {
  readonly previous: NamedLink | null;
  readonly next: NamedLink | null;
}

/** Finds the published posts before and after a post: two queries, which an index answers. */
export async function adjacentPostsOf(
  { id, date, type }: Pick<StoredItem, 'id' | 'date' | 'type'>,
  context: ContentContext,
): Promise<AdjacentPosts> {
  const [previous, next] = await Promise.all([
    nearest({ type, date: { $lte: date }, $or: [{ date: { $lt: date } }, { id: { $lt: id } }] }, -1, context),
    nearest({ type, date: { $gte: date }, $or: [{ date: { $gt: date } }, { id: { $gt: id } }] }, 1, context),
  ]);
  return { previous, next };
}

async function nearest(beside: object, direction: 1 | -1, context: ContentContext): Promise<NamedLink | null> {
  const item = await ContentItemStore.findOne(context.service, { status: 'publish', ...beside })
    .sort({ date: direction, id: direction })
    .select({ ...ADDRESSED, title: 1 });
  return item && linkTo(item, context);
}
