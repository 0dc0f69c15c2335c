import { WEEK_COUNT_MS } from '../../ingest/fix-time.ts';

const DAY_MS = 86_400_000;
/** Maximum age of a recording that is believed to have missed a rollover: older times may well be true. */
const MAX_AGE_MS = 366 * DAY_MS;
/** Maximum time that a corrected time may be ahead: local time written as UTC is up to 14 hours ahead. */
const MAX_AHEAD_MS = DAY_MS;

/** Returns true for a time, in ms since 1970, that is recent if the receiver has miscounted the weeks once or twice. */
export function looksRolledOver(time: number, now: number): boolean {
  return [1, 2].some((count) => {
    const corrected = time + count * WEEK_COUNT_MS;
    return corrected > now - MAX_AGE_MS && corrected <= now + MAX_AHEAD_MS;
  });
}

/** Adds 1,024 weeks to a time, in ms since 1970, as often as the result is not in the future. */
export function correctedWeeks(time: number, now: number): number {
  return time + Math.max(0, Math.floor((now + MAX_AHEAD_MS - time) / WEEK_COUNT_MS)) * WEEK_COUNT_MS;
}
