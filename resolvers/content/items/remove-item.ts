import { CommentModel } from '../../../models/content/comment.ts';
import { ContentItemModel, type StoredItem } from '../../../models/content/content-item.ts';
import { ContentError } from '../../../schema/content/content-error.ts';
import { putAwayComments } from '../comments/comment-status.ts';
import type { ContentContext } from '../content-context.ts';
import type { ContentKind } from '../kinds.ts';
import { filesOf } from '../media/take-upload.ts';
import { mediaStorage } from '../media-storage/chosen-storage.ts';

import { cutSlug } from './free-slug.ts';
import { recountTerms } from './recount-terms.ts';
import { changeItem } from './write-item.ts';

const TRASHED = '__trashed';

/**
 * Throws an item away, from where it can be brought back; its slug becomes free, and its comments go with it.
 *
 * @throws ContentError where its kind has no trash, or it is there already
 */
export async function trashItem(kind: ContentKind, item: StoredItem, context: ContentContext): Promise<StoredItem> {
  if (!kind.hasTrash) {
    const message = "The post does not support trashing. Set 'force=true' to delete.";
    throw new ContentError('rest_trash_not_supported', message, 501);
  }
  if (item.status === 'trash') {
    throw new ContentError('rest_already_trashed', 'The post has already been deleted.', 410);
  }
  const trashed = await changeItem(
    kind,
    item,
    {
      status: 'trash',
      status_before_trash: item.status,
      slug_before_trash: item.slug,
      slug: item.slug.endsWith(TRASHED) ? item.slug : cutSlug(item.slug, 200 - TRASHED.length) + TRASHED,
    },
    context,
  );
  await putAwayComments(item.id);
  return trashed;
}

/**
 * Deletes an item for good, with its revisions and comments; what hangs on it hangs on what it hung on. The item goes
 * last, so that a deletion that was cut short can be repeated; only its files, which nothing names then, go later.
 */
export async function deleteItem(item: StoredItem): Promise<void> {
  await ContentItemModel.deleteMany({ type: 'revision', parent: item.id });
  await CommentModel.deleteMany({ post: item.id });
  await ContentItemModel.updateMany({ parent: item.id }, { $set: { parent: item.parent } });
  if (item.type === 'attachment') {
    await ContentItemModel.updateMany({ featured_media: item.id }, { $set: { featured_media: 0 } });
  }
  await ContentItemModel.deleteOne({ id: item.id });
  if (item.type === 'attachment') await mediaStorage.remove(filesOf(item.file, item.media_details));
  await recountTerms([...item.categories, ...item.tags]);
}
