import type { StoredItem } from '../models/content-item.ts';
import { permalinkOf } from '../access/permalink.ts';
import type { Service } from '../../models/store/service.ts';

import { loadParents, type ParentItem } from './item-extras.ts';

/** Maximum number of former paths of an item; the oldest are dropped. */
const MAX_PATHS = 50;

/** Returns true if an item has an address at which visitors may have seen it. */
export function isPublic({ type, status }: Pick<StoredItem, 'type' | 'status'>): boolean {
  return status === 'publish' || (type === 'attachment' && status === 'inherit');
}

/** The path of the permalink of an item, without slashes at its ends; null if that is a number. */
export function permanentPath(item: StoredItem, parentOf: (id: number) => ParentItem | undefined): string | null {
  const link = permalinkOf(item, '', parentOf);
  return link.includes('?') ? null : link.slice(1, -1);
}

/** A changed item with the path that it leaves by the change, if visitors may know that, and without the one that it takes. */
export async function withFormerPath(service: Service, before: StoredItem, after: StoredItem): Promise<StoredItem> {
  const isPlaced = (['date', 'slug', 'parent', 'status'] as const).every((name) => before[name] === after[name]);
  if (isPlaced || !isPublic(before)) return after;
  const { parentOf } = await loadParents(service, [before, after]);
  const [left, now] = [permanentPath(before, parentOf), permanentPath(after, parentOf)];
  if (left === null || left === now) return after;
  const former = [left, ...before.former_paths].filter((path, at, all) => path !== now && all.indexOf(path) === at);
  return { ...after, former_paths: former.slice(0, MAX_PATHS) };
}
