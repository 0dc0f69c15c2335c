import { CommentStore } from '../models/comment.ts';
import { ContentItemStore, type StoredItem } from '../models/content-item.ts';
import { kindOf, type ContentKind } from '../schema/kinds/content-kinds.ts';
import { ContentError } from '../schema/content-error.ts';
import type { ContentContext } from '../access/content-context.ts';
import { filesOf } from '../media/files/take-upload.ts';
import { removeItemWords } from '../models/item-words.ts';
import { mediaStorage } from '../media/storage/media-storage.ts';

import { noItem } from './find-item.ts';
import { cutSlug, ownSlugOrFree } from './free-slug.ts';
import { makeNotedChange } from './pending/pending-changes.ts';
import { recountTerms } from './pending/recount-terms.ts';
import { deleteRevisions } from './revisions.ts';
import { changeItem, storeChange } from './write-item.ts';
import type { Service } from '../../models/store/service.ts';

const TRASHED = '__trashed';

/**
 * Moves an item to the trash, from which it can be restored; its slug becomes free, and its comments are trashed too.
 *
 * @throws ContentError if its kind has no trash, or it is already in the trash
 */
export async function trashItem(kind: ContentKind, id: unknown, context: ContentContext): Promise<StoredItem> {
  if (kind.isUploaded) {
    const message = "The post does not support trashing. Set 'force=true' to delete.";
    throw new ContentError('rest_trash_not_supported', message, 501);
  }
  return changeItem(
    kind,
    id,
    ({ status, slug }) => {
      if (status === 'trash') {
        throw new ContentError('rest_already_trashed', 'The post has already been deleted.', 410);
      }
      return {
        status: 'trash',
        sticky: false,
        status_before_trash: status,
        slug_before_trash: slug,
        slug: slug.endsWith(TRASHED) ? slug : cutSlug(slug, 200 - TRASHED.length) + TRASHED,
      };
    },
    context,
  );
}

/**
 * Deletes an item permanently, with its revisions and comments; its children move to its parent. The item is deleted
 * last, so that an interrupted deletion can be repeated; only its files, to which nothing refers by then, are deleted later.
 *
 * @throws ContentError `rest_post_invalid_id` if another request has deleted it
 */
export async function deleteItem(service: Service, item: StoredItem): Promise<void> {
  const isUploaded = kindOf(item.type)?.isUploaded ?? false;
  await deleteRevisions(service, item.id);
  await CommentStore.deleteMany(service, { post: item.id });
  await moveUp(service, item);
  if (isUploaded) {
    await ContentItemStore.updateMany(service, { featured_media: item.id }, { $set: { featured_media: 0 } });
  }
  const terms = [...item.categories, ...item.tags];
  const isDeleted = await makeNotedChange(service, { item: item.id, terms }, async () => {
    const { deletedCount } = await ContentItemStore.deleteOne(service, { id: item.id });
    if (deletedCount === 0) return false;
    await deleteRevisions(service, item.id);
    await removeItemWords(service, item.id);
    if (isUploaded) await mediaStorage(service).remove(filesOf(item.file, item.media_details));
    await recountTerms(service, terms);
    return true;
  });
  if (!isDeleted) throw noItem();
}

/** Moves the children of an item to its parent, under another slug if theirs is taken there. */
async function moveUp(service: Service, { id, parent }: StoredItem): Promise<void> {
  const below = { parent: id, type: { $ne: 'revision' } } as const;
  for (;;) {
    const child = await ContentItemStore.findOne(service, below, { _id: 0 });
    if (child === null) return;
    const moved = { ...child, parent };
    await storeChange(service, child, moved, ownSlugOrFree(service, moved));
  }
}
