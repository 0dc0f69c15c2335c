import { may } from '../access/capabilities.ts';
import {
  BLANK_ITEM,
  type ItemChanges,
  ContentItemStore,
  foldText,
  slugKeysOf,
  type StoredItem,
  UNPUBLISHED,
} from '../models/content-item.ts';
import { CATEGORY } from '../schema/kinds/term-kinds.ts';
import { indexItem } from '../models/item-words.ts';
import { TermStore } from '../models/term.ts';
import { nextNumber } from '../models/sequence.ts';
import { updateTo, updateVersion } from '../models/versions.ts';
import { newKey } from '../../models/key.ts';
import { insertIfAbsent, isDuplicateKey } from '../../models/store/duplicate-key.ts';
import type { ContentKind } from '../schema/kinds/content-kinds.ts';
import { ContentError } from '../schema/content-error.ts';
import { given } from '../schema/parameter.ts';
import { isTruthy } from '../schema/php-values.ts';
import { alignComments, restoreComments } from './pending/comment-status.ts';
import { type ContentContext, userIdOf } from '../access/content-context.ts';
import { permalinkOf } from '../access/permalink.ts';
import { sanitizeHtml } from '../rendering/markup/sanitize-html.ts';
import { trimAscii } from '../rendering/markup/white-space.ts';
import { slugOf } from '../rendering/slug.ts';
import { resolveInstant, siteNow } from '../access/site-time.ts';

import { demandMatch } from './entity-tag.ts';
import { findItem } from './find-item.ts';
import { withFormerPath } from './former-paths.ts';
import { freeSlugs } from './free-slug.ts';
import { loadParents } from './item-extras.ts';
import { makeNotedChange, storePendingRevision } from './pending/pending-changes.ts';
import { recountTerms } from './pending/recount-terms.ts';
import { revisionOf, saveRevision, withFirstText, withRevision } from './revisions.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * Stores and returns a new item.
 *
 * @throws ContentError `empty_content`, `invalid_date` for one before the year 0, `db_insert_error` if it is too large
 */
export async function insertItem(
  kind: ContentKind,
  changes: ItemChanges,
  context: ContentContext,
): Promise<StoredItem> {
  const settled = await settle(kind, null, changes, context);
  const id = await nextNumber(context.service, 'items');
  for await (const slug of settledSlugs(kind, { ...settled, id }, null, context)) {
    const addressed = withSlug({ ...settled, id }, slug);
    const { parentOf } = await loadParents(context.service, [addressed]);
    const item = { ...addressed, guid: addressed.guid || permalinkOf(addressed, context.site, parentOf) };
    const terms = [...item.categories, ...item.tags];
    await indexItem(context.service, item);
    const isStored = await makeNotedChange(context.service, { item: id, terms }, async () => {
      const isFree = await insertIfAbsent(() => ContentItemStore.create(context.service, item), 'slug_keys');
      if (isFree) await recountTerms(context.service, terms);
      return isFree;
    });
    if (isStored) return item;
  }
  throw new Error('There is always another slug');
}

/**
 * Changes an item, and stores its new state as a revision if its kind has revisions. If another request changes it
 * meanwhile, the change is computed again from the new state.
 *
 * @param changesOf returns the changes of the current item; throws for impossible ones
 * @throws ContentError `rest_post_invalid_id`, `empty_content`, `invalid_date`, `db_update_error` if it is too large
 */
export async function changeItem(
  kind: ContentKind,
  id: unknown,
  changesOf: (existing: StoredItem) => ItemChanges | Promise<ItemChanges>,
  context: ContentContext,
): Promise<StoredItem> {
  for (;;) {
    const read = await findItem(context.service, kind, id);
    demandMatch(read, context);
    const settled = await settle(kind, read, await changesOf(read), context);
    await storePendingRevision(context.service, read);
    const existing = kind.isUploaded ? read : await withFirstText(read, settled, context);
    if (existing === null) continue;
    const next = { ...settled, ...given(existing, 'last_revision', 'version') };
    const revised = kind.isUploaded ? settled : await withRevision(context.service, existing, next);
    const { last_revision } = revised;
    const isRevised = last_revision !== undefined && last_revision !== existing.last_revision;
    const revision = isRevised ? revisionOf(revised, last_revision, context) : null;
    const terms = [...termsCounted(existing), ...termsCounted(revised)];
    const item = await makeNotedChange(context.service, { item: existing.id, terms, revision }, async () => {
      if (existing.status === 'trash' && settled.status !== 'trash')
        await restoreComments(context.service, existing.id);
      const stored = await storeChange(
        context.service,
        existing,
        revised,
        settledSlugs(kind, revised, existing, context),
      );
      if (stored === null) return null;
      await recountTerms(context.service, terms);
      if ((existing.status === 'trash') !== (stored.status === 'trash'))
        await alignComments(context.service, stored.id);
      if (revision !== null) await saveRevision(context.service, revision);
      return stored;
    });
    if (item !== null) return item;
  }
}

/**
 * Writes the changes of an item under the first free slug.
 *
 * @returns null if another request has changed or deleted the item since it was read; nothing is written then
 */
export async function storeChange(
  service: Service,
  existing: StoredItem,
  changed: StoredItem,
  slugs: AsyncIterable<string>,
): Promise<StoredItem | null> {
  await indexItem(service, changed, existing);
  for await (const slug of slugs) {
    const item = { ...(await withFormerPath(service, existing, withSlug(changed, slug))), version: newKey() };
    try {
      return (await updateVersion(service, ContentItemStore, existing, updateTo(existing, item))) ? item : null;
    } catch (error) {
      if (!isDuplicateKey(error, 'slug_keys')) throw error;
    }
  }
  throw new Error('There is always another slug');
}

function withSlug(item: StoredItem, slug: string): StoredItem {
  const { slug_keys: _, ...others } = item;
  const slug_keys = slugKeysOf({ ...item, slug });
  return { ...others, slug, ...(slug_keys ? { slug_keys } : {}) };
}

/** The terms that count an item. */
function termsCounted({ status, categories, tags }: StoredItem): readonly number[] {
  return status === 'publish' ? [...categories, ...tags] : [];
}

/** Computes the item that results from a change, by the rules for every writer. */
async function settle(
  kind: ContentKind,
  existing: StoredItem | null,
  changes: ItemChanges,
  context: ContentContext,
): Promise<StoredItem> {
  const settings = await context.settings();
  const { default_category, timezone } = settings;
  const before: StoredItem = existing ?? {
    ...BLANK_ITEM,
    type: kind.type,
    author: userIdOf(context),
    comment_status: (kind.isDiscussed && settings.default_comment_status) || 'closed',
    ping_status: (kind.isDiscussed && settings.default_ping_status) || 'closed',
    format: kind.defaultFormat,
  };
  const merged = withCleanTexts({ ...before, ...changes }, context);
  if (kind.needsText && ![merged.title, merged.content, merged.excerpt].some(isTruthy)) {
    throw new ContentError('empty_content', 'Content, title, and excerpt are empty.', 400);
  }
  const dates = datesOf(merged, existing, changes, timezone);
  if (dates.date.startsWith('-')) throw new ContentError('invalid_date', 'Invalid date.', 400);
  checkSizes(kind, merged, existing !== null);
  const status = kind.isUploaded ? merged.status : statusAt(merged.status, dates.date_gmt);
  const needsCategory =
    kind.terms.includes(CATEGORY) && changes.categories === undefined && merged.categories.length === 0;
  return {
    ...merged,
    ...dates,
    status,
    ...(existing?.status === 'trash' && status !== 'trash'
      ? { slug: existing.slug_before_trash || merged.slug, status_before_trash: null, slug_before_trash: null }
      : {}),
    title_folded: foldText(merged.title),
    password: status === 'private' ? '' : merged.password,
    parent: (await isAbove(context.service, existing?.id, merged.parent)) ? 0 : merged.parent,
    categories: needsCategory && default_category ? await known(context.service, default_category) : merged.categories,
  };
}

/** A category, if there is one of this number. */
async function known(service: Service, id: number): Promise<readonly number[]> {
  return (await TermStore.exists(service, { id, taxonomy: CATEGORY.taxonomy })) ? [id] : [];
}

/** Maximum length of a password, in letters, and of a title or excerpt, in bytes. */
const MAX_PASSWORD = 255;
const MAX_TEXT = 65_535;

function checkSizes({ type }: ContentKind, { password, title, excerpt }: StoredItem, isStored: boolean): void {
  const isTooLarge = [title, excerpt].some((text) => Buffer.byteLength(text) > MAX_TEXT);
  if (!isTooLarge && [...password].length <= MAX_PASSWORD) return;
  const noun = type === 'attachment' ? 'attachment' : 'post';
  throw isStored
    ? new ContentError('db_update_error', `Could not update ${noun} in the database`, 500)
    : new ContentError('db_insert_error', `Could not insert ${noun} into the database`, 500);
}

/** An item whose texts contain nothing that the caller may not write, whoever wrote them. */
function withCleanTexts(item: StoredItem, { caller }: ContentContext): StoredItem {
  if (may(caller, 'unfiltered_html')) return item;
  return {
    ...item,
    title: trimAscii(sanitizeHtml(item.title, 'comment')),
    content: sanitizeHtml(item.content, 'post'),
    excerpt: sanitizeHtml(item.excerpt, 'post'),
  };
}

/**
 * The dates of an item. A draft without an explicit date moves with every change, and has no date in GMT; the
 * modification date of a new item is its date.
 */
function datesOf(
  merged: StoredItem,
  existing: StoredItem | null,
  changes: ItemChanges,
  zone: string | null,
): Pick<StoredItem, 'date' | 'date_gmt' | 'modified' | 'modified_gmt'> {
  const now = siteNow(zone);
  const isFloating = existing?.date_gmt === null && UNPUBLISHED.includes(existing.status);
  const isSet = changes.date !== undefined || (existing !== null && !isFloating);
  const date = isSet ? merged.date : now.local;
  const gmt = isSet && merged.date_gmt !== null ? merged.date_gmt : resolveInstant(date, 'local', zone).gmt;
  const hasGmt = (isSet && merged.date_gmt !== null) || !UNPUBLISHED.includes(merged.status);
  return {
    date,
    date_gmt: hasGmt ? gmt : null,
    modified: existing ? now.local : date,
    modified_gmt: existing ? now.gmt : gmt,
  };
}

/** Schedules items that are published in the future, and publishes those that are scheduled for the past. */
function statusAt(status: string, date_gmt: string | null): string {
  const isAhead = date_gmt !== null && date_gmt > siteNow(null).gmt;
  if (status === 'publish' && isAhead) return 'future';
  return status === 'future' && !isAhead ? 'publish' : status;
}

/**
 * Slugs of an item, the preferred one first: the given one, else from its title, else its id; free in its place. Drafts may
 * have none, and a pending item has none until a user who may publish sets one.
 */
async function* settledSlugs(
  { noun }: ContentKind,
  item: StoredItem,
  existing: StoredItem | null,
  { service, caller }: ContentContext,
): AsyncGenerator<string> {
  const isUnnamed = item.slug === '' && UNPUBLISHED.includes(item.status);
  const wanted = item.slug || slugOf(item.title) || String(item.id);
  if (isUnnamed || (item.status === 'pending' && !may(caller, `publish_${noun}`))) yield '';
  else if (item.slug !== '' && item.slug === existing?.slug && !becomesAddressed(item, existing)) yield item.slug;
  yield* freeSlugs(service, wanted, item);
}

/** Returns true if a slug that was shared freely, or belonged to another place, must be unique now. */
function becomesAddressed(item: StoredItem, existing: StoredItem): boolean {
  const wasFree = UNPUBLISHED.includes(existing.status) || existing.status === 'trash';
  return item.parent !== existing.parent || (wasFree && !UNPUBLISHED.includes(item.status));
}

/** Returns true if an item is an ancestor of the one that is to be its parent, or that one itself. */
async function isAbove(service: Service, id: number | undefined, parent: number): Promise<boolean> {
  const seen = new Set<number>();
  for (let above = parent; id !== undefined && above !== 0 && !seen.has(above); ) {
    if (above === id) return true;
    seen.add(above);
    above = (await ContentItemStore.findOne(service, { id: above }).select({ parent: 1 }))?.parent ?? 0;
  }
  return false;
}
