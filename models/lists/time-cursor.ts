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
    write: ({ time, key }) => `${time.getTime().toString(36)}.${key}`,
    read: (text) => readTimePlace(text) ?? reject(),
    find: async (text) => readTimePlace(text) ?? (await ofKey(text)) ?? reject(),
  };
}

/** Reads the text of a place, which was a cursor in version 0.2; null for another text. */
function readTimePlace(text: string): TimePlace | null {
  const [, written, key] = /^(-?[0-9a-z]{1,11})\.([\w.-]{1,100})$/.exec(text) ?? [];
  const time = new Date(Number.parseInt(written ?? '', 36));
  return key === undefined || Number.isNaN(time.getTime()) ? null : { time, key };
}

function reject(): never {
  throw unknownCursor();
}

/** The order in which such a list is read, by the name of the field of the time. */
export function timeOrder(field: string, isBackward: boolean): Readonly<Record<string, 1 | -1>> {
  return isBackward ? { [field]: 1, key: -1 } : { [field]: -1, key: 1 };
}

/** Sorts objects into the order in which such a list is read. */
export function inTimeOrder<T>(objects: readonly T[], placeOf: (object: T) => TimePlace, isBackward: boolean): T[] {
  const placed = objects.map((object) => ({ object, ...placeOf(object) }));
  placed.sort((a, b) => b.time.getTime() - a.time.getTime() || (a.key < b.key ? -1 : 1));
  return (isBackward ? placed.reverse() : placed).map(({ object }) => object);
}

/**
 * The condition on documents that are in the list from a start on, or before it, by the name of the field of their time. The one
 * after or before which the page is does not follow itself, even if its time is another now.
 */
export function fromStart(field: string, { place: { time, key }, isAfter }: PageStart<TimePlace>, isBackward: boolean) {
  const isBeyond = isAfter || isBackward;
  const [beyond, follows] = isBackward ? ['$gt', '$lt'] : ['$lt', isAfter ? '$gt' : '$gte'];
  const those = [{ [field]: { [beyond]: time } }, { [field]: time, key: { [follows]: key } }];
  return { $or: those, ...(isBeyond && { key: { $ne: key } }) };
}
