import { CommentStore, duplicateKeyOf, type StoredComment } from '../models/comment.ts';
import { ContentItemStore } from '../models/content-item.ts';
import { updateTo, updateVersion } from '../models/versions.ts';
import type { COMMENT_WRITE } from '../schema/parameters/comment-parameters.ts';
import { ContentError } from '../schema/content-error.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import type { ContentContext } from '../access/content-context.ts';
import { resolveInstant } from '../access/site-time.ts';

import { withStatus } from '../items/pending/comment-status.ts';
import { findComment, noComment } from './find-comment.ts';
import { checkWritten, cleaned, writtenComment } from './written-comment.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * Changes a comment. Where another request changes it meanwhile, the change is worked out again.
 *
 * @throws ContentError where its type would change, its post does not exist, or it would say nothing
 */
export async function changeComment(args: ParametersOf<typeof COMMENT_WRITE>, context: ContentContext): Promise<void> {
  for (;;) {
    const { comment } = await findComment(context.service, args.id);
    const changed = await changedComment(comment, args, context);
    if (await updateVersion(context.service, CommentStore, comment, updateTo(comment, changed))) return;
  }
}

async function changedComment(
  comment: StoredComment,
  args: ParametersOf<typeof COMMENT_WRITE>,
  context: ContentContext,
): Promise<StoredComment> {
  if (args.type !== undefined && args.type !== comment.type) {
    const message = 'Sorry, you are not allowed to change the comment type.';
    throw new ContentError('rest_comment_invalid_type', message, 404);
  }
  const written = await writtenComment(args, context);
  if (written.post && (await ContentItemStore.exists(context.service, { id: written.post })) === null) {
    throw new ContentError('rest_comment_invalid_post_id', 'Invalid post ID.', 403);
  }
  checkWritten(written, false);
  const { timezone } = await context.settings();
  const { duplicate_key, ...changed }: StoredComment = cleaned({ ...comment, ...written }, context);
  const isSaidAlike = duplicate_key !== undefined && duplicate_key === duplicateKeyOf(changed);
  const date_gmt = resolveInstant(changed.date, 'local', timezone).gmt;
  return withStatus({ ...changed, date_gmt, ...(isSaidAlike ? { duplicate_key } : {}) }, args.status);
}

/**
 * Puts a comment into the trash, or deletes it for good; its answers move up then, before it goes.
 *
 * @throws ContentError where it is in the trash already, or another request has deleted it
 */
export async function removeComment(service: Service, id: unknown, isForGood: boolean): Promise<void> {
  for (;;) {
    const { comment } = await findComment(service, id);
    if (isForGood) {
      await CommentStore.updateMany(service, { parent: comment.id }, { $set: { parent: comment.parent } });
      const { deletedCount } = await CommentStore.deleteOne(service, { id: comment.id });
      if (deletedCount === 0) throw noComment();
      return;
    }
    if (comment.status === 'trash') {
      throw new ContentError('rest_already_trashed', 'The comment has already been trashed.', 410);
    }
    if (await updateVersion(service, CommentStore, comment, updateTo(comment, withStatus(comment, 'trash')))) return;
  }
}
