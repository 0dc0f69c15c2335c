import type { ContentContext } from '../../access/content-context.ts';
import { listComments, type CommentListArguments } from '../../comments/list-comments.ts';

import { commentViews } from '../../comments/comment-view.ts';
import type { StoredComment } from '../../models/comment.ts';
import { readParameters } from '../../rest/read-parameters.ts';
import { COMMENT_LIST } from '../../schema/parameters/comment-parameters.ts';
import { renderTitle } from '../../rendering/title.ts';
import { fieldOf } from './article.ts';
import { type PostAccess, readableComments } from '../../comments/commented-posts.ts';

/** A comment and its replies, oldest first. */
export interface Remark {
  readonly id: number;
  readonly author: string;
  /** Address that the author gave; empty if there is none. */
  readonly url: string;
  /** In the site's time zone. */
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
  const shown = await showComments(comments, { isAboutOne: true, password }, context);
  const ids = new Set(shown.map(({ comment }) => comment.id));
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
  return { total: shown.length === 0 ? 0 : total, remarks: answersTo(0) };
}

/** A comment as feeds show it. Texts are HTML. */
export interface NewComment {
  readonly link: string;
  readonly author: string;
  /** Title of the item that it is about. */
  readonly about: string;
  /** `YYYY-MM-DDThh:mm:ss` in GMT. */
  readonly published: string;
  readonly content: string;
}

/** Arguments of a list of comments, as if none were given. */
const ALL_COMMENTS = readParameters([], COMMENT_LIST).values as unknown as CommentListArguments;

/** Maximum number of comments that are read to find readable ones: the newest may be on posts with passwords. */
const MAX_LOOKED_AT = 500;

/**
 * The newest approved comments that a visitor may read, newest first.
 *
 * @param item number of the item that they are about; null for all items
 */
export async function newestComments(
  count: number,
  item: number | null,
  context: ContentContext,
): Promise<readonly NewComment[]> {
  const found: NewComment[] = [];
  // All comments on one item are readable, or none.
  const end = item === null ? MAX_LOOKED_AT : count;
  for (let offset = 0; found.length < count && offset < end; ) {
    const per_page = offset === 0 ? count : MAX_LOOKED_AT - offset;
    const args = { ...ALL_COMMENTS, offset, per_page, post: item === null ? [] : [item] };
    const { comments, total } = await listComments(args, context);
    const shown = await showComments(comments, { isAboutOne: item !== null }, context, count - found.length);
    for (const { comment, link, about, content } of shown) {
      const author = comment.author_name.trim() === '' ? 'Anonymous' : comment.author_name;
      found.push({ link, author, about: renderTitle(about), published: comment.date_gmt, content });
    }
    offset += per_page;
    if (offset >= total) break;
  }
  return found;
}

/** A comment that a visitor may read, with the shown fields. */
interface ShownComment {
  readonly comment: StoredComment;
  readonly link: string;
  /** As HTML. */
  readonly content: string;
  /** Title of the item that it is about, as it is stored. */
  readonly about: string;
}

/** Shows the comments that a visitor may read, up to a maximum number. */
async function showComments(
  found: readonly StoredComment[],
  access: PostAccess,
  context: ContentContext,
  count = found.length,
): Promise<readonly ShownComment[]> {
  const { comments, posts } = await readableComments(found, access, context);
  const readable = comments.slice(0, count);
  const views = await commentViews(readable, posts, context);
  return Promise.all(
    readable.map(async (comment, index) => ({
      comment,
      link: (await fieldOf(views[index]?.link)) ?? '',
      content: (await fieldOf(views[index]?.content))?.rendered ?? '',
      about: posts.find(comment.post)?.title ?? '',
    })),
  );
}
