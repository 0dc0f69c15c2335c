import type { ContentContext } from '../../access/content-context.ts';
import { commentViews } from '../../comments/comment-view.ts';
import { loadCommentedPosts, isReadableComment } from '../../comments/commented-posts.ts';
import { listComments } from '../../comments/list-comments.ts';

import { fieldOf } from './article.ts';
import { ALL_COMMENTS } from './newest-comments.ts';

/** A comment, and those that answer it, the oldest first. */
export interface Remark {
  readonly id: number;
  readonly author: string;
  /** Address that the author gave; empty for none. */
  readonly url: string;
  /** By the site's clock. */
  readonly date: string;
  /** As HTML. */
  readonly content: string;
  readonly answers: readonly Remark[];
}

/** The comments on an item. */
export interface Discussion {
  /** Approved comments, shown or not. */
  readonly total: number;
  readonly remarks: readonly Remark[];
}

/** Maximum comments on one page; the first ones are shown. */
const MAX_COMMENTS = 500;

/**
 * The approved comments on an item, by the rules of the content interface.
 *
 * @param password with which a protected item is read; without it, there are none
 */
export async function discussionOf(item: number, context: ContentContext, password?: string): Promise<Discussion> {
  const args = { ...ALL_COMMENTS, per_page: MAX_COMMENTS, order: 'asc', post: [item] } as const;
  const { comments, total } = await listComments(args, context);
  if (comments.length === 0) return { total: 0, remarks: [] };
  const posts = await loadCommentedPosts(context.service, [item]);
  const readable = comments.filter((comment) =>
    isReadableComment(comment, posts, { isAboutOne: true, password }, context),
  );
  const views = await commentViews(readable, posts, context);
  const contents = await Promise.all(views.map(async ({ content }) => (await fieldOf(content)).rendered));
  const shown = readable.map((comment, index) => ({ comment, content: contents[index] ?? '' }));
  const ids = new Set(readable.map(({ id }) => id));
  const answersTo = (parent: number): Remark[] =>
    shown
      .filter(({ comment }) => (ids.has(comment.parent) ? comment.parent : 0) === parent)
      .map(({ comment, content }) => ({
        id: comment.id,
        author: comment.author_name,
        url: comment.author_url,
        date: comment.date,
        content,
        answers: answersTo(comment.id),
      }));
  return { total: readable.length === 0 ? 0 : total, remarks: answersTo(0) };
}
