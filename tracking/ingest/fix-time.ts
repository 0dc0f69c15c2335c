import { parseDateTime } from '../../schema/date-time.ts';

import { badParameter, isMissing, numberOrNone, RejectedMessage, readText } from './json-reader.ts';

const DAY_MS = 86_400_000;
const HALF_HOUR_MS = 30 * 60_000;
/** GPS counts weeks up to 1023: a receiver that misses a rollover reports times too early by this much. */
export const WEEK_COUNT_MS = 1024 * 7 * DAY_MS;
/** Maximum delay of a corrected position: older times are not explained by a week rollover. */
const MAX_DELAY_MS = 366 * DAY_MS;
/** Maximum time that a position may be stamped ahead of this machine's clock, in milliseconds. */
const MAX_AHEAD_MS = 5 * 60_000;
/** The clock that is furthest ahead of UTC, in milliseconds. */
const MAX_LOCAL_MS = 14 * 2 * HALF_HOUR_MS;
/** Numbers from this one on are milliseconds, smaller ones seconds. */
const FIRST_MILLISECONDS = 2 ** 31;

/** A time in ms since 1970. */
export interface ReportedTime {
  readonly time: number;
  /** True if the receiver had miscounted the weeks. */
  readonly isCorrected: boolean;
}

/**
 * Checks a time, and corrects it if the receiver has miscounted the weeks. If it reports local time as well, the difference is
 * the least number of half hours by which the time is not in the future.
 *
 * @throws ServiceError BAD_REQUEST if it is in the future, or more than 1,024 weeks ago and cannot be corrected in this way
 */
export function checkTime(name: string, instant: number, now: number): ReportedTime {
  if (instant > now + MAX_AHEAD_MS) throw badParameter(name, 'must not be in the future', 'future');
  const corrected = instant + WEEK_COUNT_MS;
  if (corrected > now + MAX_LOCAL_MS) return { time: instant, isCorrected: false };
  if (corrected < now - MAX_DELAY_MS) throw badParameter(name, 'must not be more than 1,024 weeks ago', 'too_old');
  const ahead = corrected - now;
  const local = ahead > MAX_AHEAD_MS ? Math.ceil(ahead / HALF_HOUR_MS) * HALF_HOUR_MS : 0;
  return { time: corrected - local, isCorrected: true };
}

/**
 * Reads seconds or milliseconds since 1970, as a number or text, or a date-time with `T` or a space, without an offset in UTC.
 *
 * @throws ServiceError BAD_REQUEST if it is none, or as {@link checkTime} does
 */
export function readTime(name: string, value: unknown, now: number): ReportedTime {
  const number = numberOrNone(value, 0, Number.MAX_SAFE_INTEGER);
  const milliseconds = number < FIRST_MILLISECONDS ? number * 1000 : number;
  const instant = Number.isNaN(number)
    ? parseDateTime(readText(name, value).replace(' ', 'T'))?.instant
    : Math.trunc(milliseconds);
  if (instant === undefined) throw badParameter(name, 'must be seconds since 1970, or a date-time');
  return checkTime(name, instant, now);
}

/**
 * Reads the times of a message and of its fix, by their names; the fix has none if only that of the message can be believed.
 *
 * @param message times of the message, the best one first; missing ones are ignored
 * @throws ServiceError BAD_REQUEST about the time of the fix, if none can be believed
 */
export function readTimes(
  [fixName, fix]: readonly [name: string, value: unknown],
  message: Readonly<Record<string, unknown>>,
  now: number,
): { readonly at: ReportedTime; readonly fixAt: ReportedTime | null } {
  const given = Object.entries(message).filter(([, value]) => !isMissing(value));
  const [at] = given.flatMap(([name, value]) => timeOrNone(name, value, now) ?? []);
  if (at) return { at, fixAt: timeOrNone(fixName, fix, now) };
  const fixAt = readTime(fixName, fix, now);
  return { at: fixAt, fixAt };
}

function timeOrNone(name: string, value: unknown, now: number): ReportedTime | null {
  try {
    return readTime(name, value, now);
  } catch (error) {
    if (error instanceof RejectedMessage) return null;
    throw error;
  }
}
