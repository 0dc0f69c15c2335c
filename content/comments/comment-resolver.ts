import { may } from '../access/capabilities.ts';
import { Comment } from '../schema/records/comment.ts';
import {
  COMMENT_CREATE,
  COMMENT_DELETE,
  COMMENT_LIST,
  COMMENT_READ,
  COMMENT_WRITE,
} from '../schema/parameters/comment-parameters.ts';
import { itemPageOf, pagesOf } from '../schema/records/item-page.ts';
import type { ContentContext } from '../access/content-context.ts';
import { rootField, type RootFields } from '../access/root-field.ts';
import type { ViewOf } from '../schema/content-field.ts';

import { commentPermissions } from './comment-permissions.ts';
import { commentViews } from './comment-view.ts';
import { findComment, readableComments } from './commented-posts.ts';
import { createComment, changeComment, removeComment } from './write-comment.ts';
import { accessOf, listComments } from './list-comments.ts';

/** The comments on the website's content. Specification: section D, `/wp/v2/comments`. */
export const commentResolver: RootFields = {
  queries: {
    comments: rootField(
      {
        returns: itemPageOf(Comment),
        description: 'A page of comments.',
        takes: COMMENT_LIST,
        permitted: commentPermissions.list,
      },
      async (args, context) => {
        const found = await listComments(args, context);
        const { comments, posts } = await readableComments(found.comments, accessOf(args), context);
        const items = await commentViews(comments, posts, context);
        const { total } = found;
        return { items, total, total_pages: pagesOf(total, args.per_page) };
      },
    ),
    comment: rootField(
      {
        returns: Comment,
        description: 'One of the comments.',
        takes: COMMENT_READ,
        permitted: commentPermissions.read,
      },
      ({ id }, context) => show(id, context),
    ),
  },
  mutations: {
    createComment: rootField(
      {
        returns: Comment,
        description: 'Writes a comment.',
        takes: COMMENT_CREATE,
        permitted: commentPermissions.create,
        // Whoever may moderate is shown a new comment to edit on; its author sees it as it is.
        shownIn: ({ caller }) => (may(caller, 'moderate_comments') ? 'edit' : 'view'),
      },
      async (args, context) => show(await createComment(args, context), context),
    ),
    updateComment: rootField(
      {
        returns: Comment,
        description: 'Changes a comment.',
        takes: COMMENT_WRITE,
        permitted: commentPermissions.update,
      },
      async (args, context) => {
        await changeComment(args, context);
        return show(args.id, context);
      },
    ),
    deleteComment: rootField(
      {
        returns: Comment,
        description: 'Puts a comment into the trash, or deletes it.',
        takes: COMMENT_DELETE,
        permitted: commentPermissions.delete,
      },
      async ({ id, force }, context) => {
        const before = await show(id, context);
        await removeComment(context.service, id, force);
        return force ? before : show(id, context);
      },
    ),
  },
};

async function show(id: unknown, context: ContentContext): Promise<ViewOf<Comment> | undefined> {
  const { comment, posts } = await findComment(context.service, id);
  const [view] = await commentViews([comment], posts, context);
  return view;
}
