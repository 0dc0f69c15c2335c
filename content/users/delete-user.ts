import { ContentItemStore } from '../models/content-item.ts';
import { WebsiteUserStore } from '../models/website-user.ts';
import { kindOf } from '../schema/kinds/content-kinds.ts';
import { ContentError } from '../schema/content-error.ts';
import type { ContentContext } from '../access/content-context.ts';
import { deleteItem, trashItem } from '../items/remove-item.ts';

import { type ShownUser, findUser, noUser } from './user-view.ts';
import type { Service } from '../../models/store/service.ts';

/** Arguments of a request to delete a user. */
export interface UserDeletion {
  readonly id: number | undefined;
  readonly force: boolean;
  /** Id of the new author of the user's items; 0 deletes them with the user. */
  readonly reassign: number;
}

/**
 * Deletes a user permanently. The user's content gets another author before, so that an interrupted deletion loses nothing;
 * or it is deleted afterwards, so that only one of several concurrent deletions removes it.
 *
 * @returns the user as it was
 * @throws ContentError if `force` is missing, the new author does not exist, or another request has deleted the user
 */
export async function deleteUser({ id, force, reassign }: UserDeletion, context: ContentContext): Promise<ShownUser> {
  const user = await findUser(context.service, id);
  if (!force) {
    const message = "Users do not support trashing. Set 'force=true' to delete.";
    throw new ContentError('rest_trash_not_supported', message, 501);
  }
  if (reassign !== 0) await replaceUser(context.service, user.id, reassign);
  else {
    await removeUser(context.service, user.id);
    await removeWritings(user.id, context);
  }
  return user;
}

/**
 * Deletes a user permanently, after another author got the user's content.
 *
 * @throws ContentError if the new author does not exist, or another request has deleted the user
 */
export async function replaceUser(service: Service, id: number, successor: number): Promise<void> {
  const isSomebody = (await WebsiteUserStore.exists(service, { id: successor })) !== null;
  if (successor === id || !isSomebody) {
    throw new ContentError('rest_user_invalid_reassign', 'Invalid user ID for reassignment.', 400);
  }
  await ContentItemStore.updateMany(service, { author: id }, { $set: { author: successor } });
  await removeUser(service, id);
}

async function removeUser(service: Service, id: number): Promise<void> {
  const { deletedCount } = await WebsiteUserStore.deleteOne(service, { id });
  if (deletedCount === 0) throw noUser();
}

/** Posts and pages of a deleted user move to the trash; those already there, and uploads, are deleted. */
async function removeWritings(author: number, context: ContentContext): Promise<void> {
  const written = { author, type: { $ne: 'revision' } } as const;
  for await (const item of ContentItemStore.find(context.service, written, { _id: 0 }).cursor()) {
    const kind = kindOf(item.type);
    try {
      if (!kind || kind.isUploaded || item.status === 'trash') await deleteItem(context.service, item);
      else await trashItem(kind, item.id, context);
    } catch (error) {
      // Another request has trashed it meanwhile.
      if (!(error instanceof ContentError)) throw error;
    }
  }
}
