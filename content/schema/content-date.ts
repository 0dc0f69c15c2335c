const DATE = /^(-?\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:([Zz])|([+-])(\d\d)(?::(\d\d))?)?$/;

/** A date as the content interface accepts it. */
export interface ContentDate {
  /** Milliseconds since 1970 as if the date were in GMT. */
  readonly wall: number;
  /** Milliseconds that its zone is ahead of GMT; null if it names none, which means that of the site. */
  readonly offset: number | null;
}

/**
 * Reads `YYYY-MM-DDThh:mm:ss` with or without a zone; null for anything else. As in the reference, a day that its month
 * does not have runs over into the next, and a day or month 0 is the one before the first.
 */
export function parseContentDate(text: string): ContentDate | null {
  const match = DATE.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (month > 12 || day > 31 || hour > 24 || minute > 59 || second > 59) return null;
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day);
  const wall = midnight + ((hour * 60 + minute) * 60 + second) * 1000;
  const [, , , , , , , zulu, sign, hours, minutes] = match;
  if (zulu) return { wall, offset: 0 };
  if (!sign) return { wall, offset: null };
  const ahead = (Number(hours) * 60 + Number(minutes ?? 0)) * 60_000;
  return { wall, offset: sign === '-' ? -ahead : ahead };
}

/** Start of the last day with a four-digit year in every zone. */
const LAST_DAY = Date.UTC(9999, 11, 31);

/**
 * Returns true if a request may name a date: as in the reference, neither before the year 0 nor the start of 1970, nor one
 * with a five-digit year in any zone.
 */
export function isContentDate(text: string): boolean {
  const date = text.startsWith('-') ? null : parseContentDate(text);
  if (date === null) return false;
  const moment = date.wall - (date.offset ?? 0);
  return moment !== 0 && moment <= LAST_DAY && date.wall <= LAST_DAY;
}

/** `YYYY-MM-DDThh:mm:ss` of a point in time in GMT, or of a local time given as if it were GMT. */
export function formatContentDate(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString();
  // Years before 0 have six digits in ISO 8601, and four in the reference.
  return text.startsWith('-') ? `-${text.slice(3, 22)}` : text.slice(0, 19);
}
