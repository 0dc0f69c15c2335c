import { ContentItemStore, type StoredItem } from '../../models/content-item.ts';
import type { ContentContext } from '../../access/content-context.ts';

import type { NamedLink } from './article.ts';
import { linkTo } from './page-family.ts';

/** The posts before and after one, by their dates. */
export interface AdjacentPosts {
  readonly previous: NamedLink | null;
  readonly next: NamedLink | null;
}

/** Finds the published posts that stand beside a post: two queries, which an index answers. */
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
    .select({ _id: 0, id: 1, type: 1, status: 1, date: 1, slug: 1, parent: 1, title: 1 });
  return item && linkTo(item, context);
}
