import { may, type PostSubject } from '../access/capabilities.ts';
import type { StoredItem } from '../models/content-item.ts';
import type { ContentContext } from '../access/content-context.ts';

import type { ItemExtras } from './item-extras.ts';

/** Tells whether a caller may read an item: a published one, one that inherits from a published one, or their own. */
export function isReadable(item: StoredItem, { parentOf }: ItemExtras, { caller }: ContentContext): boolean {
  return may(caller, 'read_post', subjectOf(item, parentOf));
}

/** An item as its protection is judged. One that hangs on nothing, or on what is gone, inherits from nothing. */
export function subjectOf(item: StoredItem, parentOf: ItemExtras['parentOf']): PostSubject {
  return { ...item, attached_to: parentOf(item.parent) ?? null };
}
