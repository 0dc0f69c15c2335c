import type { ContentContext } from '../../access/content-context.ts';
import { type ListArguments, listItems } from '../../items/list-items.ts';
import { PAGE, POST } from '../../schema/kinds/content-kinds.ts';

import { type Article, showArticles } from './article.ts';

/** Filters of a list of posts. */
export type PostFilter = Pick<ListArguments, 'author' | 'categories' | 'tags' | 'search' | 'after' | 'before'>;

/** A page of posts: the newest first, or the best match of a search. */
export interface PostList {
  readonly articles: readonly Article[];
  readonly total: number;
  /** At least 1. */
  readonly pages: number;
}

/** Maximum posts on a page, whatever the site's setting. */
const MAX_PER_PAGE = 50;
const NEWEST_FIRST = { order: 'desc', orderby: 'date' } as const;
const BEST_FIRST = { order: 'desc', orderby: 'relevance' } as const;

/** Lists posts as a visitor may read them, those of a search by relevance, as many per page as the site's settings ask for. Pages count from 1. */
export async function listPosts(filter: PostFilter, page: number, context: ContentContext): Promise<PostList> {
  const { posts_per_page } = await context.settings();
  const per_page = posts_per_page > 0 ? Math.min(posts_per_page, MAX_PER_PAGE) : MAX_PER_PAGE;
  const order = filter.search ? BEST_FIRST : NEWEST_FIRST;
  const { items, total } = await listItems(POST, { ...order, ...filter, page, per_page }, context);
  return { articles: await showArticles(items, context), total, pages: Math.max(1, Math.ceil(total / per_page)) };
}

/** The newest posts of a list, or of all; further pages of as many have the older ones. Pages count from 1. */
export async function newestPosts(
  count: number,
  context: ContentContext,
  filter: PostFilter = {},
  page = 1,
): Promise<readonly Article[]> {
  const { items } = await listItems(POST, { ...NEWEST_FIRST, ...filter, page, per_page: count }, context);
  return showArticles(items, context);
}

/** The pages that match a search, the best match first. */
export async function searchPages(search: string, count: number, context: ContentContext): Promise<readonly Article[]> {
  const { items } = await listItems(PAGE, { ...BEST_FIRST, search, page: 1, per_page: count }, context);
  return showArticles(items, context);
}
