import type { StoredItem } from '../models/content-item.ts';
import { ContentError } from '../schema/content-error.ts';

/** Maximum length of a title or an excerpt, in bytes: that of a `TEXT` of the reference's database. */
const MAX_TEXT_BYTES = 65_535;

/** Maximum length of a password, in characters. */
const MAX_PASSWORD_CHARACTERS = 255;

/**
 * Rejects texts for which the reference has no room.
 *
 * @throws ContentError `db_insert_error` for a new item, `db_update_error` for one that exists
 */
export function checkLengths({ title, excerpt, password }: StoredItem, isNew: boolean): void {
  const isLong = [title, excerpt].some((text) => Buffer.byteLength(text) > MAX_TEXT_BYTES);
  if (!isLong && [...password].length <= MAX_PASSWORD_CHARACTERS) return;
  throw isNew
    ? new ContentError('db_insert_error', 'Could not insert post into the database', 500)
    : new ContentError('db_update_error', 'Could not update post in the database', 500);
}
