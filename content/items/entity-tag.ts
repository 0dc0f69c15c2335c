import { listsWeakly } from '../../http/answers/preconditions.ts';
import type { ContentContext } from '../access/content-context.ts';
import type { StoredItem } from '../models/content-item.ts';
import { ContentError } from '../schema/content-error.ts';

/** The entity tag of an item for its editors, which every change of it replaces (RFC 9110, section 8.8.3). */
export function entityTagOf({ id, version }: Pick<StoredItem, 'id' | 'version'>): string {
  return `"${version ?? `new-${id}`}"`;
}

/**
 * Rejects a change of a state of an item that its `If-Match` does not name (RFC 9110, section 13.1.1).
 *
 * @throws ContentError `rest_precondition_failed`
 */
export function demandMatch(item: StoredItem, { body: { headers } }: ContentContext): void {
  const condition = headers['if-match'];
  if (condition === undefined || listsWeakly(condition, entityTagOf(item))) return;
  const message = 'The object has been changed since it was read. Read it again, and repeat the change.';
  throw new ContentError('rest_precondition_failed', message, 412);
}
