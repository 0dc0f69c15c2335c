import { unknownCursor } from '../../schema/page.ts';

import type { PageStart, Places } from './list-cursors.ts';

/** The place of an object in a list that is ordered by time, newest first, and then by key. */
export interface TimePlace {
  readonly time: Date;
  readonly key: string;
}

/**
 * Places of such a list; it continues from there even if the object is gone.
 * @param ofKey finds the place of an object by its key; null if it is not in the list
 */
export function timePlaces(ofKey: (key: string) => Promise<TimePlace | null>): Places<TimePlace> {
  return {
    write: writeTimePlace,
    read: (text) => readTimePlace(text) ?? reject(),
    find: async (text) => readTimePlace(text) ?? (await ofKey(text)) ?? reject(),
  };
}

function writeTimePlace({ time, key }: TimePlace): string {
  return `${time.getTime().toString(36)}.${key}`;
}

/** Reads what {@link writeTimePlace} wrote, which was a cursor in version 0.2; null for another text. */
function readTimePlace(text: string): TimePlace | null {
  const [, written, key] = /^(-?[0-9a-z]{1,11})\.([\w.-]{1,100})$/.exec(text) ?? [];
  const time = new Date(Number.parseInt(written ?? '', 36));
  return key === undefined || Number.isNaN(time.getTime()) ? null : { time, key };
}

function reject(): never {
  throw unknownCursor();
}

/**
 * The condition on documents that are in the list from a start on, by the name of the field of their time. The one after which the
 * page starts does not follow itself, even if it is earlier now.
 */
export function fromStart(field: string, { place: { time, key }, isAfter }: PageStart<TimePlace>) {
  const those = [{ [field]: { $lt: time } }, { [field]: time, key: { [isAfter ? '$gt' : '$gte']: key } }];
  return { $or: those, ...(isAfter && { key: { $ne: key } }) };
}
