/**
 * The one grammar of date-times that the service accepts, and the two formats in which it writes them. This file
 * imports nothing, so that the web component can share it.
 * @module
 */

/** A point in time as it was written: the instant, and the offset from UTC. */
export interface WrittenDateTime {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly instant: number;
  /** Minutes east of UTC as written; 0 if no offset was given. */
  readonly offsetMinutes: number;
}

const GRAMMAR =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:(Z)|([+-])(\d{2})(?::?(\d{2}))?)?)?$/;

const MAX_OFFSET_MINUTES = 14 * 60;

/** Reads `YYYY-MM-DD[Thh:mm[:ss[.f…]][Z|±hh[[:]mm]]]`: no time is 00:00, no offset GMT; null for anything else. */
export function parseDateTime(text: string): WrittenDateTime | null {
  const match = GRAMMAR.exec(text);
  if (!match) return null;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[4] ?? 0);
  const minute = Number(match[5] ?? 0);
  const second = Number(match[6] ?? 0);
  const fraction = match[7];
  const offsetMinute = Number(match[11] ?? 0);
  const offsetMinutes = (match[9] === '-' ? -1 : 1) * (Number(match[10] ?? 0) * 60 + offsetMinute);
  if (year < 1 || hour > 23 || minute > 59 || second > 59) return null;
  if (offsetMinute > 59 || Math.abs(offsetMinutes) > MAX_OFFSET_MINUTES) return null;

  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return null;
  const milliseconds = fraction === undefined ? 0 : Math.trunc(Number(`0.${fraction}`) * 1000);
  local.setUTCHours(hour, minute, second, milliseconds);
  return { instant: local.getTime() - offsetMinutes * 60_000, offsetMinutes: offsetMinutes || 0 };
}

/** Writes `YYYY-MM-DDThh:mm:ss+00:00`, the format of the specification's "ISO 8601 with offset". */
export function formatOffsetDateTime(date: Date): string {
  return `${dayOf(date)}T${timeOf(date)}+00:00`;
}

/** Writes `YYYY-MM-DD hh:mm:ss` in UTC. */
export function formatSpacedDateTime(date: Date): string {
  return `${dayOf(date)} ${timeOf(date)}`;
}

const DAY_MS = 86_400_000;
const TWO_DIGITS: readonly string[] = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** The last written day: times of a list are mostly on the same day, and computing it takes most of the time. */
const written = { day: Number.NaN, text: '' };

/** @throws RangeError for an invalid date */
function dayOf(date: Date): string {
  const day = Math.floor(date.getTime() / DAY_MS);
  if (day !== written.day) Object.assign(written, { day, text: date.toISOString().slice(0, 10) });
  return written.text;
}

function timeOf(date: Date): string {
  const seconds = Math.floor(date.getTime() / 1000) - Math.floor(date.getTime() / DAY_MS) * (DAY_MS / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
}
