import { ContentItemStore, type StoredItem } from '../../models/content-item.ts';
import { removeEndedWriters, changingContent } from '../../caching/changing-content.ts';
import { restamp } from '../../models/content-stamp.ts';
import { PendingChangeStore, type StoredPendingChange } from '../../models/pending-change.ts';
import { insertIfAbsent } from '../../../models/store/duplicate-key.ts';
import { isHolderDead, newHolder } from '../../../models/leases/lease-holder.ts';
import { alignComments } from './comment-status.ts';

import { recountTerms } from './recount-terms.ts';
import type { Service } from '../../../models/store/service.ts';
import { typesWhere } from '../../schema/kinds/content-kinds.ts';
import { siteNow } from '../../access/site-time.ts';

/** Milliseconds after which a change counts as interrupted, whichever machine its process is on. */
const INTERRUPTED_AFTER_MS = 60_000;

/**
 * Makes a change that is recorded before anything is written and until all its effects are done, so that it is completed
 * if the process ends in between.
 *
 * @param noted the item, 0 for many; the terms that must be counted again; the revision that the change names, if any
 * @param make writes the item and the effects
 */
export async function makeNotedChange<T>(
  service: Service,
  { item, terms, revision = null }: { item: number; terms: readonly number[]; revision?: StoredItem | null },
  make: () => Promise<T>,
): Promise<T> {
  const { _id } = await PendingChangeStore.create(service, {
    item,
    terms,
    revision,
    by: newHolder(),
    started: new Date(),
  });
  const made = await make();
  await endChange(service, _id);
  return made;
}

async function endChange(service: Service, pending: StoredPendingChange['_id']): Promise<void> {
  await PendingChangeStore.deleteOne(service, { _id: pending });
}

/**
 * Stores the last revision of an item if the process that named it was killed before: the next change of the item names
 * another one, and this one would be lost.
 */
export async function storePendingRevision(service: Service, { id, last_revision }: StoredItem): Promise<void> {
  if (last_revision === undefined) return;
  const pending = await PendingChangeStore.findOne(service, { item: id, 'revision.id': last_revision }, { _id: 0 });
  if (pending?.revision) await insertRevision(service, pending.revision);
}

/** Stores a revision, unless it is stored already. */
export async function insertRevision(service: Service, revision: StoredItem): Promise<void> {
  await insertIfAbsent(() => ContentItemStore.create(service, revision), 'id');
}

/**
 * Completes changes of items whose process has ended in between: counts of terms, revisions, the comments of
 * trashed posts, totals and responses in caches. Idempotent.
 */
export async function completeChanges(service: Service, now: Date = new Date()): Promise<void> {
  const changes = await PendingChangeStore.find(service, {});
  const limit = now.getTime() - INTERRUPTED_AFTER_MS;
  const interrupted = changes.filter(({ by, started }) => started.getTime() <= limit || isHolderDead(by));
  for (const { _id, item, terms, revision } of interrupted) {
    const found = await ContentItemStore.findOne(service, { id: item }, { _id: 0 });
    if (found && revision && found.last_revision === revision.id) await insertRevision(service, revision);
    await recountTerms(service, [...terms]);
    if (found) await alignComments(service, item);
    await restamp(service);
    await endChange(service, _id);
  }
  await removeEndedWriters(service, now);
}

/** Publishes scheduled items whose time has come. Idempotent. */
export async function publishDueItems(service: Service): Promise<void> {
  const types = typesWhere(({ isUploaded }) => !isUploaded);
  const due = { type: { $in: types }, status: 'future', date_gmt: { $lte: siteNow(null).gmt } } as const;
  const items = await ContentItemStore.find(service, due).select({ _id: 0, id: 1, categories: 1, tags: 1 });
  for (const { id, categories, tags } of items) {
    const terms = [...categories, ...tags];
    const publish = async () => {
      await ContentItemStore.updateOne(service, { ...due, id }, { $set: { status: 'publish' } });
      await recountTerms(service, terms);
    };
    await changingContent(service, () => makeNotedChange(service, { item: id, terms }, publish));
  }
}
