import { formatContentDate, parseContentDate } from '../schema/content-date.ts';

/** A point in time as the content interface writes it: in the site's time zone, and in GMT. */
export interface SiteMoment {
  readonly local: string;
  readonly gmt: string;
}

/**
 * The current time in the site's time zone.
 *
 * @param zone a city's time zone such as `Europe/Berlin`; empty or null for GMT
 */
export function siteNow(zone: string | null): SiteMoment {
  return siteMoment(Date.now(), zone);
}

/** A point in time, in milliseconds since 1970, in the site's time zone. */
function siteMoment(moment: number, zone: string | null): SiteMoment {
  return { local: formatContentDate(moment + offsetAt(moment, zone)), gmt: formatContentDate(moment) };
}

/**
 * The point in time that a text names: in its own zone if it names one, else in the site's time zone, or in GMT.
 *
 * @param text checked by its parameter
 * @param meaning what a date without a zone means
 */
export function resolveInstant(text: string, meaning: 'local' | 'gmt', zone: string | null): SiteMoment {
  const date = parseContentDate(text);
  if (date === null) throw new TypeError(`"${text}" is not a date`);
  if (date.offset !== null) return siteMoment(date.wall - date.offset, zone);
  if (meaning === 'gmt') return siteMoment(date.wall, zone);
  return { local: formatContentDate(date.wall), gmt: formatContentDate(momentOfWall(date.wall, zone)) };
}

/** The dates that a request writes, empty if it names neither; the one in the site's time zone takes precedence. */
export function writtenDates(
  { date, date_gmt }: { readonly date?: string | undefined; readonly date_gmt?: string | undefined },
  zone: string | null,
): { readonly date?: string; readonly date_gmt?: string } {
  if (!date && !date_gmt) return {};
  const { local, gmt } = date ? resolveInstant(date, 'local', zone) : resolveInstant(date_gmt ?? '', 'gmt', zone);
  return { date: local, date_gmt: gmt };
}

/**
 * The bound of a list by date, to be compared with dates on the site's clock: a date with a zone is the time that the clock
 * then shows.
 *
 * @param text checked by its parameter
 */
export function clockBound(text: string, zone: string | null): string {
  return resolveInstant(text, 'local', zone).local;
}

const DAY = 24 * 60 * 60 * 1000;

/**
 * Milliseconds since 1970 of a time in the site's time zone. A time that occurs twice means the first; one that is skipped when
 * the clock is set forward is read as if it had not been.
 */
function momentOfWall(wall: number, zone: string | null): number {
  const before = offsetAt(wall - DAY, zone);
  const after = offsetAt(wall + DAY, zone);
  const isBefore = offsetAt(wall - before, zone) === before;
  return isBefore || offsetAt(wall - after, zone) !== after ? wall - before : wall - after;
}

/** Milliseconds that a zone is ahead of GMT at a moment. */
export function offsetAt(moment: number, zone: string | null): number {
  if (zone === null || zone === '' || zone === 'UTC') return 0;
  // Years before the first are counted backwards in a calendar.
  if (moment < FIRST_YEAR) return offsetAt(FIRST_YEAR, zone);
  const parts = formatterOf(zone).formatToParts(moment);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = PARTS.map((type) =>
    Number(parts.find((part) => part.type === type)?.value),
  );
  return Date.UTC(year, month - 1, day, hour % 24, minute, second) - Math.floor(moment / 1000) * 1000;
}

/** The day before the year 2, the offset of whose zone holds for all that was before. */
const FIRST_YEAR = new Date(0).setUTCFullYear(1, 11, 31);

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formatters.set(zone, made);
  return made;
}
