import { language } from './texts.ts';

/** The reader's own language if it is one of the page's, for the order of dates and the unit of distances. */
export const locale =
  navigator.languages.find((tag) => tag.startsWith(language)) ?? (language === 'de' ? 'de' : 'en-GB');
const isMiles = /^en-(?:US|GB)$/.test(locale);

const TIME = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
const MONTH = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });
const WEEKDAY = new Intl.DateTimeFormat(locale, { weekday: 'short' });
const MOMENT = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const RELATIVE = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
const SPEED = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: isMiles ? 'mile-per-hour' : 'kilometer-per-hour',
  maximumFractionDigits: 0,
});
const DISTANCE = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: isMiles ? 'mile' : 'kilometer',
  maximumFractionDigits: 1,
});

/** Units of ages with their lengths in seconds. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A time of day. */
export function timeOfDay(time: string): string {
  return TIME.format(new Date(time));
}

/** A month with its year. */
export function monthName(time: Date): string {
  return MONTH.format(time);
}

/** The names of the weekdays, Monday first. */
export function weekdayNames(): string[] {
  return Array.from({ length: 7 }, (_, at) => WEEKDAY.format(new Date(2024, 0, 1 + at)));
}

/** A day with its weekday. */
export function dayName(time: string | Date): string {
  return DAY.format(new Date(time));
}

/** A day and a time. */
export function moment(time: string): string {
  return MOMENT.format(new Date(time));
}

/** The time since a moment, such as "5 min ago". */
export function ago(time: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(time)) / 1000);
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? ['second', 1];
  return unit === 'second' ? RELATIVE.format(0, 'second') : RELATIVE.format(-Math.floor(seconds / length), unit);
}

/** A distance in the unit of the reader's region. @param meters in meters */
export function distance(meters: number): string {
  return DISTANCE.format(meters / (isMiles ? 1609.344 : 1000));
}

/** A speed in the unit of the reader's region. @param mph in miles per hour */
export function speed(mph: number): string {
  return SPEED.format(isMiles ? mph : mph * 1.609344);
}

/** A duration in hours and minutes. @param seconds in seconds */
export function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Unit of speeds in the reader's region. */
export const speedUnit = isMiles ? 'mph' : 'km/h';
const SPEED_FACTOR = isMiles ? 1 : 1.609344;

/** A speed in {@link speedUnit}, rounded. @param mph in miles per hour */
export function speedOf(mph: number): number {
  return Math.round(mph * SPEED_FACTOR);
}

/** Miles per hour of a speed in {@link speedUnit}. */
export function mphOf(speed: number): number {
  return speed / SPEED_FACTOR;
}
