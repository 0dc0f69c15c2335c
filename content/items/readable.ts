import { may, type PostSubject } from '../access/capabilities.ts';
import type { ContentContext } from '../access/content-context.ts';

import type { Parents } from './item-extras.ts';

/** An item that may hang on another one. */
type HangingItem = PostSubject & { readonly parent: number };

/** Returns true if a caller may read an item: a published one, one that inherits from a published one, or their own. */
export function isReadable(item: HangingItem, { parentOf }: Parents, { caller }: ContentContext): boolean {
  return may(caller, 'read_post', subjectOf(item, parentOf));
}

/** An item as its protection is judged. One that hangs on nothing, or on what is gone, inherits from nothing. */
export function subjectOf(item: HangingItem, parentOf: Parents['parentOf']): PostSubject {
  return { ...item, attached_to: parentOf(item.parent) ?? null };
}
