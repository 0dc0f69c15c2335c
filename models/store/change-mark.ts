import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** Number of digits of an instant in a mark, enough until the year 5188. */
const INSTANT_DIGITS = 9;
const COUNT_DIGITS = 4;
const RANDOM_BYTES = 9;

/** The last mark of this process. */
const last = { instant: 0, count: 0 };

/** The end of marks of changes that are posted to no webhook; other marks end with a letter, a digit, `-` or `_`. */
const UNPOSTED = '.';

const unposted = new AsyncLocalStorage<true>();

/** Does work whose changes the log has like others, but which are posted to no webhook. */
export function withoutPosting<Result>(work: () => Promise<Result>): Promise<Result> {
  return unposted.run(true, work);
}

/** Returns true if a change is posted to webhooks. */
export function isPosted(mark: string): boolean {
  return !mark.endsWith(UNPOSTED);
}

/** Makes the mark of a change. Marks sort by the time at which they were made, those of a process also within a millisecond. */
export function newMark(): string {
  const instant = Date.now();
  Object.assign(last, { instant, count: instant === last.instant ? last.count + 1 : 0 });
  const count = last.count.toString(36).padStart(COUNT_DIGITS, '0');
  const random = randomBytes(RANDOM_BYTES).toString('base64url');
  return marksFrom(instant) + count + random + (unposted.getStore() ? UNPOSTED : '');
}

/** The first possible mark of an instant, in milliseconds since 1970. */
export function marksFrom(instant: number): string {
  return instant.toString(36).padStart(INSTANT_DIGITS, '0');
}

/** The instant at which a mark was made. */
export function timeOfMark(mark: string): Date {
  return new Date(Number.parseInt(mark.slice(0, INSTANT_DIGITS), 36));
}
