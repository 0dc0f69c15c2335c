import { CommentModel, type StoredComment } from '../../../models/content/comment.ts';
import { ContentItemModel } from '../../../models/content/content-item.ts';
import type { COMMENT_WRITE } from '../../../schema/content/comment-parameters.ts';
import { ContentError } from '../../../schema/content/content-error.ts';
import type { ParametersOf } from '../../../schema/content/parameter.ts';
import type { ContentContext } from '../content-context.ts';
import { momentMeant } from '../site-time.ts';

import { changeStatus } from './comment-status.ts';
import { findComment } from './find-comment.ts';
import { checkWritten, cleaned, writtenComment } from './written-comment.ts';

/**
 * Changes a comment.
 *
 * @throws ContentError where its type would change, its post does not exist, or it would say nothing
 */
export async function changeComment(args: ParametersOf<typeof COMMENT_WRITE>, context: ContentContext): Promise<void> {
  const { comment } = await findComment(args.id);
  if (args.type !== undefined && args.type !== comment.type) {
    const message = 'Sorry, you are not allowed to change the comment type.';
    throw new ContentError('rest_comment_invalid_type', message, 404);
  }
  const written = await writtenComment(args, context);
  if (written.post && (await ContentItemModel.exists({ id: written.post })) === null) {
    throw new ContentError('rest_comment_invalid_post_id', 'Invalid post ID.', 403);
  }
  checkWritten(written, false);
  const { timezone } = await context.settings();
  const { id, status, status_before, type, ...changed }: StoredComment = cleaned({ ...comment, ...written }, context);
  const date_gmt = momentMeant(changed.date, 'local', timezone).gmt;
  await CommentModel.updateOne({ id }, { $set: { ...changed, date_gmt } });
  if (args.status !== undefined) await changeStatus(comment, args.status);
}

/**
 * Puts a comment into the trash, or deletes it for good; its answers move up then, before it goes.
 *
 * @throws ContentError where it is in the trash already
 */
export async function removeComment(comment: StoredComment, isForGood: boolean): Promise<void> {
  if (isForGood) {
    await CommentModel.updateMany({ parent: comment.id }, { $set: { parent: comment.parent } });
    await CommentModel.deleteOne({ id: comment.id });
    return;
  }
  if (comment.status === 'trash') {
    throw new ContentError('rest_already_trashed', 'The comment has already been trashed.', 410);
  }
  await changeStatus(comment, 'trash');
}
