import { ContentItemModel } from '../../../models/content/content-item.ts';
import { WebsiteUserModel } from '../../../models/content/website-user.ts';
import { ContentError } from '../../../schema/content/content-error.ts';

import { findUser } from './find-user.ts';
import type { ShownUser } from './user-view.ts';

/** What a request to delete a user says. */
export interface UserDeletion {
  readonly id: number | undefined;
  readonly force: boolean;
  /** Who becomes the author of what the user wrote; 0 lets it go with the user. */
  readonly reassign: number;
}

/**
 * Deletes a user for good. What the user wrote gets another author before, so that an interrupted deletion loses nothing.
 *
 * @returns the user as it was
 * @throws ContentError where `force` is missing, or nobody can take over
 */
export async function deleteUser({ id, force, reassign }: UserDeletion): Promise<ShownUser> {
  const user = await findUser(id);
  if (!force) {
    const message = "Users do not support trashing. Set 'force=true' to delete.";
    throw new ContentError('rest_trash_not_supported', message, 501);
  }
  if (reassign !== 0) {
    const isSomebody = (await WebsiteUserModel.exists({ id: reassign })) !== null;
    if (reassign === user.id || !isSomebody) {
      throw new ContentError('rest_user_invalid_reassign', 'Invalid user ID for reassignment.', 400);
    }
    await ContentItemModel.updateMany({ author: user.id }, { $set: { author: reassign } });
  } else {
    await removeWritings(user.id);
  }
  await WebsiteUserModel.deleteOne({ id: user.id });
  return user;
}

/** Posts and pages of somebody who goes move to the trash; what nobody can find there is left without an author. */
async function removeWritings(author: number): Promise<void> {
  const written = { author, type: { $in: ['post', 'page'] }, status: { $ne: 'trash' } } as const;
  for await (const { id, status, slug } of ContentItemModel.find(written).lean().cursor()) {
    const before = { status_before_trash: status, slug_before_trash: slug };
    await ContentItemModel.updateOne({ id }, { $set: { ...before, status: 'trash', slug: `${slug}__trashed` } });
  }
  await ContentItemModel.updateMany({ author }, { $set: { author: 0 } });
}
