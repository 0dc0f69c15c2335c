import type { ContentContext } from '../access/content-context.ts';
import { ContentItemStore, type StoredItem } from '../models/content-item.ts';
import type { ContentKind } from '../schema/kinds/content-kinds.ts';
import { ContentError } from '../schema/content-error.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * The item of a kind that an id names.
 *
 * @throws ContentError `rest_post_invalid_id`
 */
export async function findItem(
  service: Service,
  { type }: Pick<ContentKind, 'type'>,
  id: unknown,
): Promise<StoredItem> {
  const item = await findAnyItem(service, id);
  if (item?.type !== type) throw noItem();
  return item;
}

/**
 * The item of a kind that an id names, which a request reads once until it changes something.
 *
 * @throws ContentError `rest_post_invalid_id`
 */
export async function readItem(
  { type }: ContentKind,
  id: unknown,
  { service, items }: ContentContext,
): Promise<StoredItem> {
  const reading = items.get(id) ?? findAnyItem(service, id);
  items.set(id, reading);
  const item = await reading;
  if (item?.type !== type) throw noItem();
  return item;
}

/** Error for an id that names no item. */
export function noItem(): ContentError {
  return new ContentError('rest_post_invalid_id', 'Invalid post ID.', 404);
}

/** The item that an id names, whatever its kind; null if it names none. */
export async function findAnyItem(service: Service, id: unknown): Promise<StoredItem | null> {
  if (typeof id !== 'number' || id <= 0) return null;
  return ContentItemStore.findOne(service, { id }).select({ _id: 0 });
}
