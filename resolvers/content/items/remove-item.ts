import { CommentModel } from '../../../models/content/comment.ts';
import { ContentItemModel, type StoredItem } from '../../../models/content/content-item.ts';
import { ContentError } from '../../../schema/content/content-error.ts';
import type { ContentContext } from '../content-context.ts';
import type { ContentKind } from '../kinds.ts';
import { filesOf } from '../media/take-upload.ts';
import { mediaStorage } from '../media-storage/chosen-storage.ts';
import { siteNow } from '../site-time.ts';

import { cutSlug, freeSlug } from './free-slug.ts';
import { recountTerms } from './recount-terms.ts';
import { saveRevision } from './revisions.ts';
import { storeChange } from './write-item.ts';

const TRASHED = '__trashed';

/**
 * Throws an item away, from where it can be brought back; its slug becomes free.
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
  const now = siteNow((await context.settings()).timezone);
  const slug = item.slug.endsWith(TRASHED) ? item.slug : cutSlug(item.slug, 200 - TRASHED.length) + TRASHED;
  const trashed: StoredItem = {
    ...item,
    status: 'trash',
    status_before_trash: item.status,
    slug_before_trash: item.slug,
    slug: await freeSlug(slug, { ...item, status: 'trash' }),
    modified: now.local,
    modified_gmt: now.gmt,
  };
  await storeChange(item, trashed);
  if (kind.hasRevisions) await saveRevision(trashed, context);
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
