import { unknownCursor } from '../../schema/page.ts';

/** A place in the log of an account, as it is given to a reader. */
export interface ChangePlace {
  /** Number of the last entry before it. */
  readonly number: number;
  /** When it was given. */
  readonly at: Date;
  /** Name of what the reader saw then of the account. */
  readonly view: string;
}

const RADIX = 36;

/** Writes a place as a cursor: number, time in seconds, and view. */
export function changeCursor({ number, at, view }: ChangePlace): string {
  const parts = [number, Math.floor(at.getTime() / 1000)].map((part) => part.toString(RADIX));
  return [...parts, view].join('.');
}

/**
 * Reads a cursor.
 * @throws ServiceError BAD_REQUEST for another text
 */
export function readChangeCursor(cursor: string): ChangePlace {
  const [, number = '', seconds = '', view = ''] =
    /^([0-9a-z]{1,10})\.([0-9a-z]{1,7})\.([\w-]{1,43})$/.exec(cursor) ?? [];
  if (view === '') throw unknownCursor();
  return { number: Number.parseInt(number, RADIX), at: new Date(Number.parseInt(seconds, RADIX) * 1000), view };
}
