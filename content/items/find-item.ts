import type { ContentContext } from '../access/content-context.ts';
import { ContentItemModel, type StoredItem } from '../models/content-item.ts';
import type { ContentKind } from '../schema/kinds/content-kinds.ts';
import { ContentError } from '../schema/content-error.ts';

/**
 * The item of a kind that an id names.
 *
 * @throws ContentError `rest_post_invalid_id`
 */
export async function findItem({ type }: Pick<ContentKind, 'type'>, id: unknown): Promise<StoredItem> {
  const item = await findAnyItem(id);
  if (item?.type !== type) throw noItem();
  return item;
}

/**
 * The item of a kind that an id names, which a request reads once until it changes something.
 *
 * @throws ContentError `rest_post_invalid_id`
 */
export async function readItem({ type }: ContentKind, id: unknown, { items }: ContentContext): Promise<StoredItem> {
  const reading = items.get(id) ?? findAnyItem(id);
  items.set(id, reading);
  const item = await reading;
  if (item?.type !== type) throw noItem();
  return item;
}

/** Refusal of an id that names no item. */
export function noItem(): ContentError {
  return new ContentError('rest_post_invalid_id', 'Invalid post ID.', 404);
}

/** The item that an id names, whatever its kind; null where it names none. */
export async function findAnyItem(id: unknown): Promise<StoredItem | null> {
  if (typeof id !== 'number' || id <= 0) return null;
  return ContentItemModel.findOne({ id }).select({ _id: 0 }).lean<StoredItem | null>();
}
