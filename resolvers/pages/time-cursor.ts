import { unknownCursor } from '../../schema/page.ts';

/** The place of an object in a list that is ordered by time, newest first, and then by key. */
export interface TimePlace {
  readonly time: Date;
  readonly key: string;
}

/** Writes a place as a cursor: the list goes on from there even where the object is gone. */
export function timeCursor({ time, key }: TimePlace): string {
  return `${time.getTime().toString(36)}.${key}`;
}

/**
 * Reads a cursor that {@link timeCursor} wrote.
 * @throws ServiceError BAD_REQUEST for another text
 */
export function readTimeCursor(cursor: string): TimePlace {
  const [, written, key] = /^(-?[0-9a-z]{1,11})\.([\w.-]{1,100})$/.exec(cursor) ?? [];
  const time = new Date(Number.parseInt(written ?? '', 36));
  if (key === undefined || Number.isNaN(time.getTime())) {
    throw unknownCursor();
  }
  return { time, key };
}

/** The condition on documents that are in the list from a place on, by the name of the field of their time. */
export function fromPlace(field: string, { time, key }: TimePlace) {
  return { $or: [{ [field]: { $lt: time } }, { [field]: time, key: { $gte: key } }] };
}
