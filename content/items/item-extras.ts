import { ContentItemStore, type StoredItem } from '../models/content-item.ts';
import { TermStore } from '../models/term.ts';
import { kindOf } from '../schema/kinds/content-kinds.ts';
import { type PostSubject, may } from '../access/capabilities.ts';
import { ADDRESSED, type AddressedItem, loadAbove } from '../access/permalink.ts';
import type { SelectedFields } from '../access/root-field.ts';
import type { Service } from '../../models/store/service.ts';
import type { ContentContext } from '../access/content-context.ts';

/** An item to which others are attached: the fields for its address and its protection. */
export type ParentItem = AddressedItem & PostSubject;

/** Number of revisions of an item, and the id of the last; 0 if there is none. */
export interface RevisionCount {
  readonly count: number;
  readonly last: number;
}

/** The ancestors of some items, up to the top. */
export interface Parents {
  readonly parentOf: (id: number) => ParentItem | undefined;
}

/** Records needed to show items, read for all of them together. */
export interface ItemExtras extends Parents {
  /** Ids of terms in the order of their names; those that do not exist are omitted. */
  readonly inOrder: (ids: readonly number[], taxonomy: string) => readonly number[];
  readonly revisionsOf: (id: number) => RevisionCount;
}

/**
 * Reads what the selected fields of a page of items need: at most three queries, and one more for each level of pages above.
 * Other fields may not be asked for.
 */
export async function loadExtras(
  service: Service,
  items: readonly StoredItem[],
  selected: SelectedFields,
): Promise<ItemExtras> {
  const needsTerms = selected.has('categories') || selected.has('tags');
  const needsRevisions = selected.has('revision_count') || selected.has('last_revision');
  const [{ parentOf }, terms, revisions] = await Promise.all([
    loadParents(service, items),
    needsTerms ? loadTerms(service, items) : undefined,
    needsRevisions ? countRevisions(service, items) : undefined,
  ]);
  return {
    parentOf,
    inOrder: (ids, taxonomy) =>
      (terms ?? unread()).filter((term) => term.taxonomy === taxonomy && ids.includes(term.id)).map(({ id }) => id),
    revisionsOf: (id) => (revisions ?? unread()).get(id) ?? { count: 0, last: 0 },
  };
}

/** Fails if a field that was not selected is requested, since its value would be wrong. */
export function unread(): never {
  throw new Error('No selected field needs what is asked for');
}

/** Reads the ancestors of some items. */
export async function loadParents(service: Service, items: readonly Pick<StoredItem, 'parent'>[]): Promise<Parents> {
  const find = (ids: number[]) =>
    ContentItemStore.find(service, { id: { $in: ids } }).select({ ...ADDRESSED, author: 1 });
  return { parentOf: await loadAbove<ParentItem>(items, find) };
}

async function loadTerms(service: Service, items: readonly StoredItem[]): Promise<{ id: number; taxonomy: string }[]> {
  const ids = [...new Set(items.flatMap(({ categories, tags }) => [...categories, ...tags]))];
  if (ids.length === 0) return [];
  return TermStore.find(service, { id: { $in: ids } })
    .sort({ name_folded: 1, id: 1 })
    .select({ _id: 0, id: 1, taxonomy: 1 });
}

async function countRevisions(service: Service, items: readonly StoredItem[]): Promise<Map<number, RevisionCount>> {
  const ids = items.filter(({ type }) => kindOf(type)?.isUploaded === false).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const counted = await ContentItemStore.aggregate<RevisionCount & { _id: number }>(service, [
    { $match: { type: 'revision', parent: { $in: ids } } },
    { $group: { _id: '$parent', count: { $sum: 1 }, last: { $max: '$id' } } },
  ]);
  return new Map(counted.map(({ _id, count, last }) => [_id, { count, last }]));
}

/** An item that may be attached to another one. */
type HangingItem = PostSubject & { readonly parent: number };

/** Returns true if a caller may read an item: a published one, one that inherits from a published one, or their own. */
export function isReadable(item: HangingItem, { parentOf }: Parents, { caller }: ContentContext): boolean {
  return may(caller, 'read_post', subjectOf(item, parentOf));
}

/** An item with the fields that decide its protection. One without a parent, or whose parent is gone, inherits nothing. */
function subjectOf(item: HangingItem, parentOf: Parents['parentOf']): PostSubject {
  return { ...item, attached_to: parentOf(item.parent) ?? null };
}
