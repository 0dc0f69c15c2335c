import { may } from '../access/capabilities.ts';
import { Comment } from '../schema/records/comment.ts';
import {
  COMMENT_CREATE,
  COMMENT_DELETE,
  COMMENT_LIST,
  COMMENT_READ,
  COMMENT_WRITE,
} from '../schema/parameters/comment-parameters.ts';
import type { ContentContext } from '../access/content-context.ts';
import type { RootFields } from '../access/root-field.ts';
import type { ViewOf } from '../schema/content-field.ts';

import { commentPermissions } from './comment-permissions.ts';
import { commentViews } from './comment-view.ts';
import { findComment, readableComments } from './commented-posts.ts';
import { createComment, changeComment, removeComment } from './write-comment.ts';
import { accessOf, listComments } from './list-comments.ts';
import { collectionFields, taking } from '../access/collection-fields.ts';

const KIND = { one: 'comment', many: 'comments', record: Comment } as const;

/** The comments on the website's content. Specification: section D, `/wp/v2/comments`. */
export const commentResolver: RootFields = collectionFields(KIND, commentPermissions, {
  list: taking(COMMENT_LIST, async (args, context) => {
    const found = await listComments(args, context);
    const { comments, posts } = await readableComments(found.comments, accessOf(args), context);
    return { items: await commentViews(comments, posts, context), total: found.total };
  }),
  read: taking(COMMENT_READ, ({ id }, context) => show(id, context)),
  create: taking(COMMENT_CREATE, async (args, context) => show(await createComment(args, context), context), {
    // A moderator gets a new comment in the context `edit`; its author sees it as published.
    shownIn: ({ caller }) => (may(caller, 'moderate_comments') ? 'edit' : 'view'),
  }),
  update: taking(COMMENT_WRITE, async (args, context) => {
    await changeComment(args, context);
    return show(args.id, context);
  }),
  delete: taking(COMMENT_DELETE, async ({ id, force }, context) => {
    const before = await show(id, context);
    await removeComment(context.service, id, force);
    return force ? before : show(id, context);
  }),
});

async function show(id: unknown, context: ContentContext): Promise<ViewOf<Comment> | undefined> {
  const { comment, posts } = await findComment(context.service, id);
  const [view] = await commentViews([comment], posts, context);
  return view;
}
