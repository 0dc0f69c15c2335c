import type { ContentContext } from '../../access/content-context.ts';
import { commentViews } from '../../comments/comment-view.ts';
import { loadCommentedPosts, isReadableComment } from '../../comments/commented-posts.ts';
import { type CommentListArguments, listComments } from '../../comments/list-comments.ts';
import type { StoredComment } from '../../models/comment.ts';
import { readParameters } from '../../rest/read-parameters.ts';
import { COMMENT_LIST } from '../../schema/parameters/comment-parameters.ts';
import { renderTitle } from '../../rendering/title.ts';

import { fieldOf } from './article.ts';

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
export const ALL_COMMENTS = readParameters([], COMMENT_LIST).values as unknown as CommentListArguments;

/** Comments that are read at most in search of those that visitors may read: the newest may be on posts with passwords. */
const MAX_LOOKED_AT = 500;

/**
 * The newest approved comments that a visitor may read, the newest first.
 *
 * @param item number of the item that they are about; null for all items
 */
export async function newestComments(
  count: number,
  item: number | null,
  context: ContentContext,
): Promise<readonly NewComment[]> {
  const found: NewComment[] = [];
  // Of the comments on one item, all are readable, or none.
  const end = item === null ? MAX_LOOKED_AT : count;
  for (let offset = 0; found.length < count && offset < end; ) {
    const per_page = offset === 0 ? count : MAX_LOOKED_AT - offset;
    const args = { ...ALL_COMMENTS, offset, per_page, post: item === null ? [] : [item] };
    const { comments, total } = await listComments(args, context);
    found.push(...(await shownAmong(comments, count - found.length, item !== null, context)));
    offset += per_page;
    if (offset >= total) break;
  }
  return found;
}

async function shownAmong(
  comments: readonly StoredComment[],
  count: number,
  isAboutOne: boolean,
  context: ContentContext,
): Promise<readonly NewComment[]> {
  const posts = await loadCommentedPosts(
    context.service,
    comments.map(({ post }) => post),
  );
  const readable = comments
    .filter((comment) => isReadableComment(comment, posts, { isAboutOne }, context))
    .slice(0, count);
  const views = await commentViews(readable, posts, context);
  return Promise.all(
    readable.map(async (comment, index): Promise<NewComment> => {
      const view = views[index];
      return {
        link: (await fieldOf(view?.link)) ?? '',
        author: comment.author_name.trim() === '' ? 'Anonymous' : comment.author_name,
        about: renderTitle(posts.find(comment.post)?.title ?? ''),
        published: comment.date_gmt,
        content: (await fieldOf(view?.content))?.rendered ?? '',
      };
    }),
  );
}
