import { badParameter, MAX_AHEAD_MS, readInstant } from './json-reader.ts';

const DAY_MS = 86_400_000;
/** GPS counts weeks up to 1023: a receiver that misses a rollover reports times too early by this much. */
const WEEK_COUNT_MS = 1024 * 7 * DAY_MS;
/** Maximum delay of a corrected position: older times are not explained by a week rollover. */
const MAX_DELAY_MS = 366 * DAY_MS;

/**
 * Corrects the time of a position, in ms since 1970, if the receiver has miscounted the weeks.
 *
 * @throws ServiceError BAD_REQUEST if it is in the future, or more than 1,024 weeks ago and cannot be corrected in this way
 */
export function checkFixTime(name: string, instant: number, now: number): number {
  if (instant > now + MAX_AHEAD_MS) throw badParameter(name, 'must not be in the future');
  const corrected = instant + WEEK_COUNT_MS;
  if (corrected > now + MAX_AHEAD_MS) return instant;
  if (corrected < now - MAX_DELAY_MS) throw badParameter(name, 'must not be more than 1,024 weeks ago');
  return corrected;
}

/** Reads the time of a position, and corrects it as {@link checkFixTime} does. */
export function readFixTime(name: string, value: unknown, now: number): number {
  return checkFixTime(name, readInstant(name, value, now), now);
}
