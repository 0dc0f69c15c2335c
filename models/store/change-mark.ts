import { randomBytes } from 'node:crypto';

/** Number of digits of an instant in a mark, enough until the year 5188. */
const INSTANT_DIGITS = 9;
const COUNT_DIGITS = 4;
const RANDOM_BYTES = 9;

/** The last mark of this process. */
const last = { instant: 0, count: 0 };

/** Makes the mark of a change. Marks sort by the time at which they were made, those of a process also within a millisecond. */
export function newMark(): string {
  const instant = Date.now();
  Object.assign(last, { instant, count: instant === last.instant ? last.count + 1 : 0 });
  const count = last.count.toString(36).padStart(COUNT_DIGITS, '0');
  return marksFrom(instant) + count + randomBytes(RANDOM_BYTES).toString('base64url');
}

/** The first possible mark of an instant, in milliseconds since 1970. */
export function marksFrom(instant: number): string {
  return instant.toString(36).padStart(INSTANT_DIGITS, '0');
}

/** The instant at which a mark was made. */
export function timeOfMark(mark: string): Date {
  return new Date(Number.parseInt(mark.slice(0, INSTANT_DIGITS), 36));
}
