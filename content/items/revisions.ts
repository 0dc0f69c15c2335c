import { BLANK_ITEM, ContentItemStore, type StoredItem } from '../models/content-item.ts';
import { nextNumber } from '../models/sequence.ts';
import { type ContentContext, userIdOf } from '../access/content-context.ts';

import { insertRevision, makeNotedChange } from './pending/pending-changes.ts';
import type { Service } from '../../models/store/service.ts';

/** Fields of an item that a revision stores. */
const REVISED_FIELDS = ['title', 'content', 'excerpt'] as const;

/**
 * Names the revision that stores the new state of an item: the last one if it is equal, else a new one. The number of a new
 * one is taken after `existing` was read and written with the item, so that numbers follow the order of the changes and
 * no two requests make a revision of the same change.
 */
export async function withRevision(service: Service, existing: StoredItem, item: StoredItem): Promise<StoredItem> {
  if (item.status === 'auto-draft') return item;
  const last =
    existing.last_revision === undefined
      ? await ContentItemStore.findOne(service, { type: 'revision', parent: item.id }).sort({ id: -1 })
      : existing;
  if (last && isSameText(last, item)) return item;
  return { ...item, last_revision: await nextNumber(service, 'items') };
}

function isSameText(one: StoredItem, other: StoredItem): boolean {
  return REVISED_FIELDS.every((field) => spaced(one[field]) === spaced(other[field]));
}

/**
 * Stores the first text of an item as a revision before it is changed for the first time, as later versions of WordPress do.
 *
 * @returns the item as it is then; null if another request has changed it in the meantime
 */
export async function withFirstText(
  existing: StoredItem,
  changed: StoredItem,
  context: ContentContext,
): Promise<StoredItem | null> {
  const { service } = context;
  const isNew = existing.last_revision === undefined && existing.status !== 'auto-draft';
  if (!isNew || isSameText(existing, changed)) return existing;
  if (await ContentItemStore.exists(service, { type: 'revision', parent: existing.id })) return existing;
  const last_revision = await nextNumber(service, 'items');
  const revision = { ...revisionOf(existing, last_revision, context), author: existing.author };
  const { id, version = null } = existing;
  return makeNotedChange(service, { item: id, terms: [], revision }, async () => {
    const options = { returnDocument: 'after', projection: { _id: 0 } } as const;
    const named = { $set: { last_revision } };
    const written = await ContentItemStore.findOneAndUpdate(service, { id, version } as never, named, options);
    if (written) await saveRevision(service, revision);
    return written;
  });
}

/** The revision with a given id that stores the new state of an item. */
export function revisionOf(item: StoredItem, id: number, context: ContentContext): StoredItem {
  const slug = `${item.id}-revision-v1`;
  return {
    ...BLANK_ITEM,
    id,
    type: 'revision',
    status: 'inherit',
    parent: item.id,
    author: userIdOf(context),
    date: item.modified,
    date_gmt: item.modified_gmt,
    modified: item.modified,
    modified_gmt: item.modified_gmt,
    slug,
    guid: `${context.site}/${item.modified.slice(0, 10).replaceAll('-', '/')}/${slug}/`,
    title: item.title,
    title_folded: item.title_folded,
    content: item.content,
    excerpt: item.excerpt,
    comment_status: '',
    ping_status: '',
  };
}

/** Stores the revision of an item. The item may have been deleted meanwhile, and its revisions with it. */
export async function saveRevision(service: Service, revision: StoredItem): Promise<void> {
  await insertRevision(service, revision);
  if (!(await ContentItemStore.exists(service, { id: revision.parent })))
    await deleteRevisions(service, revision.parent);
}

/** Deletes a revision permanently; if it was the last one, the next change is compared with the one before it. */
export async function deleteRevision(service: Service, { id, parent }: StoredItem): Promise<boolean> {
  const { deletedCount } = await ContentItemStore.deleteOne(service, { id, type: 'revision' });
  await ContentItemStore.updateOne(service, { id: parent, last_revision: id }, { $unset: { last_revision: 1 } });
  return deletedCount === 1;
}

/** Deletes all revisions of an item. */
export async function deleteRevisions(service: Service, parent: number): Promise<void> {
  await ContentItemStore.deleteMany(service, { type: 'revision', parent });
}

/** The revisions of an item, newest first. */
export async function revisionsOf(service: Service, parent: number): Promise<StoredItem[]> {
  return ContentItemStore.find(service, { type: 'revision', parent }).sort({ date: -1, id: -1 }).select({ _id: 0 });
}

/** White space at the ends, and its kind, is ignored. */
function spaced(text: string): string {
  return text
    .replace(/[\r\n]+/g, '\n')
    .replace(/[ \t]+/g, ' ')
    .trim();
}
