import { METERS, type Units } from '../../schema/trips/trip-drawing.ts';

import type { TripMoment } from './moment-near.ts';
import { speaks, stringsFor } from './strings.ts';
import type { Trip, TripStop } from './trip.ts';

const UNIT_NAMES = { km: 'kilometer', mi: 'mile' } as const;

/** Countries with road signs in miles. */
const MILE_REGIONS = new Set(['US', 'GB', 'LR', 'MM']);

const DAY_ALONE: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' };
const DAY: Intl.DateTimeFormatOptions = { ...DAY_ALONE, hour: 'numeric', minute: '2-digit' };
const MINUTE: Intl.DateTimeFormatOptions = { ...DAY, year: 'numeric' };
const TIME_OF_DAY: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' };
const SECOND: Intl.DateTimeFormatOptions = { ...TIME_OF_DAY, second: '2-digit' };
const DATE: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'numeric', day: 'numeric' };

/** Units of an age with their seconds. */
const AGES = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
] as const;

/** A stop with its place among others. */
export interface PlacedStop {
  readonly stop: TripStop;
  /** Index of the trip, and of the stop among those of the trip. */
  readonly place: readonly [trip: number, stop: number];
  /** Number of stops of the trip. */
  readonly count: number;
}

/** Returns a measure with spaces at which no line ends, so that a number stays with its unit. */
export function unbroken(measure: string): string {
  return measure.replaceAll(' ', '\u00a0');
}

/** Formats times, durations, distances and summaries in one language. */
export class TripFormat {
  /** Language that the author wants; an invalid language tag stands for English. */
  readonly language: string;
  /** Language of all texts: that one, or the English of its country if the component does not speak it. */
  readonly locale: string;
  readonly units: Units;
  readonly #timeZone: string;

  /**
   * `locale` is as the author wrote it. `timeZone` is that of all times: `trip`,
   * `reader`, or an IANA name; any other stands for `trip`.
   */
  constructor(locale: string, units: string | null, timeZone: string | null = null) {
    this.language = isLocale(locale) ? locale : 'en';
    const { region } = new Intl.Locale(this.language).maximize();
    this.locale = speaks(this.language) ? this.language : ['en', region].filter(Boolean).join('-');
    this.units = units === 'km' || units === 'mi' ? units : MILE_REGIONS.has(region ?? '') ? 'mi' : 'km';
    this.#timeZone = timeZone && namesTimeZone(timeZone) ? timeZone : 'trip';
  }

  /** Formats an ISO 8601 time of a trip. */
  time(iso: string, tripZone: string | null): string {
    const date = new Date(iso);
    return Number.isNaN(date.getTime()) ? iso : this.#dates(MINUTE, tripZone).format(date);
  }

  /** Formats a period of a trip, with the day only once: "Nov 3, 8:02 – 8:32 AM". */
  period(from: string, until: string | null, tripZone: string | null): string {
    const [start, end] = [new Date(from), new Date(until ?? from)];
    if (Number.isNaN(start.getTime()) || Number.isNaN(end.getTime())) return from;
    return this.#dates(DAY, tripZone).formatRange(start, end);
  }

  /** Formats a period of a trip as times of day alone: "8:02 – 8:32 AM". */
  times(from: string, until: string | null, tripZone: string | null): string {
    const [start, end] = [new Date(from), new Date(until ?? from)];
    if (Number.isNaN(start.getTime()) || Number.isNaN(end.getTime())) return from;
    const format = this.#dates(TIME_OF_DAY, tripZone, false);
    const isSameDay = this.date(from, tripZone) === this.date(until ?? from, tripZone);
    return isSameDay ? format.formatRange(start, end) : `${format.format(start)} – ${format.format(end)}`;
  }

  /** Formats the day of an ISO 8601 time of a trip: "Tue, Nov 3", with the year unless it is this one. */
  date(iso: string, tripZone: string | null): string {
    const date = new Date(iso);
    if (Number.isNaN(date.getTime())) return iso;
    const isThisYear = date.getFullYear() === new Date().getFullYear();
    return this.#dates({ weekday: 'short', ...DAY_ALONE, ...(!isThisYear && { year: 'numeric' }) }, tripZone).format(
      date,
    );
  }

  /** Formats seconds since 1970 as a time of day of a trip, to the second. */
  clock(seconds: number, tripZone: string | null): string {
    return this.#dates(SECOND, tripZone).format(seconds * 1000);
  }

  /** Formats how long ago something was, in milliseconds: "12 sec. ago". */
  age(milliseconds: number): string {
    const seconds = Math.max(0, Math.round(milliseconds / 1000));
    const [unit, size] = AGES.findLast(([, least]) => seconds >= least) ?? ['second', 1];
    const style = { style: 'short', numeric: 'auto' } as const;
    return new Intl.RelativeTimeFormat(this.locale, style).format(-Math.floor(seconds / size), unit);
  }

  /** Formats a moment of a trip in milliseconds since 1970: its time of day, and its day unless that is today. */
  moment(time: number, tripZone: string | null): string {
    const [day, today] = [time, Date.now()].map((at) => this.#dates(DATE, tripZone).format(at));
    return this.#dates(day === today ? TIME_OF_DAY : DAY, tripZone).format(time);
  }

  /** Formats a speed in meters per second. */
  speed(metersPerSecond: number): string {
    return this.#unit((metersPerSecond * 3600) / METERS[this.units], `${UNIT_NAMES[this.units]}-per-hour`);
  }

  /** Formats a number of trips: "2 trips". */
  count(trips: number): string {
    const strings = stringsFor(this.locale);
    const number = new Intl.NumberFormat(this.locale).format(trips);
    return trips === 1 ? strings.oneTrip : strings.trips.replace('{count}', number);
  }

  /** Formats the day of a trip at seconds since 1970: "Nov 3". */
  day(seconds: number, tripZone: string | null): string {
    return this.#dates(DAY_ALONE, tripZone, false).format(seconds * 1000);
  }

  duration(seconds: number): string {
    const minutes = Math.round(seconds / 60);
    const hours = Math.floor(minutes / 60);
    if (minutes === 0) return this.#unit(Math.round(seconds), 'second');
    if (hours === 0) return this.#unit(minutes, 'minute');
    const rest = minutes % 60;
    return rest === 0 ? this.#unit(hours, 'hour') : `${this.#unit(hours, 'hour')} ${this.#unit(rest, 'minute')}`;
  }

  distance(meters: number): string {
    const value = meters / METERS[this.units];
    return this.#unit(value, UNIT_NAMES[this.units], value < 100 ? 1 : 0);
  }

  /** Returns the accessible name of a marker: "Stop, Nov 3, 2026, 8:02 AM GMT". */
  label({ kind, timeZone, arrival, departure }: TripStop): string {
    const time = arrival ?? departure;
    const word = stringsFor(this.locale)[kind];
    return time ? `${word}, ${this.time(time, timeZone)}` : word;
  }

  /** Returns the accessible name of a stop with its place among others: "Stop, Nov 3, … (Trip 2/5, 1/3)". */
  placeLabel({ stop, place: [trip, at], count }: PlacedStop, trips: number): string {
    const among = trips > 1 ? `${stringsFor(this.locale).trip} ${trip + 1}/${trips}, ` : '';
    return `${this.label(stop)} (${among}${at + 1}/${count})`;
  }

  /** Formats a moment of a trip to which a reader points: its time and speed, or when the trip was. */
  pointed({ stops, timeZone }: Trip, moment: TripMoment | null): string | null {
    if (moment) {
      const speed = moment.speed === null ? [] : [this.speed(moment.speed)];
      return [this.clock(moment.time, moment.timeZone), ...speed].join(' · ');
    }
    const departure = stops[0]?.departure;
    return departure ? this.period(departure, stops.at(-1)?.arrival ?? null, timeZone) : null;
  }

  /** Formats the distance and the duration of all trips, each unless it is not known. */
  totals(trips: readonly Trip[]): string[] {
    const meters = sum(trips.map(({ distanceMeters }) => distanceMeters));
    const seconds = sum(trips.map(({ durationSeconds }) => durationSeconds));
    return [...(meters > 0 ? [this.distance(meters)] : []), ...(seconds > 0 ? [this.duration(seconds)] : [])];
  }

  /** Summarizes trips for screen readers: number, distance, duration, first start and last end. */
  summary(trips: readonly Trip[]): string {
    const strings = stringsFor(this.locale);
    if (trips.length === 0) return strings.emptyHint;
    const [first, last] = [trips[0]?.stops[0], trips.at(-1)?.stops.at(-1)];
    return [
      this.count(trips.length),
      ...this.totals(trips),
      first?.departure && `${strings.start}: ${this.time(first.departure, first.timeZone)}`,
      last?.arrival && `${strings.end}: ${this.time(last.arrival, last.timeZone)}`,
    ]
      .filter(Boolean)
      .join('; ');
  }

  /**
   * Returns the format of times in the zone that the author wants: that of the trip, or of the reader if it is not known.
   * If it is another than the reader's, its name is part of the text if `isNamed`.
   */
  #dates(options: Intl.DateTimeFormatOptions, tripZone: string | null, isNamed = true): Intl.DateTimeFormat {
    const wanted = this.#timeZone === 'trip' ? tripZone : this.#timeZone === 'reader' ? null : this.#timeZone;
    const name = JSON.stringify([this.locale, options, wanted, isNamed]);
    const known = dateFormats.get(name);
    if (known) return known;
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const timeZone = wanted !== null && isTimeZone(wanted) ? wanted : own;
    // Otherwise browsers write one-digit hours alone, but two-digit hours in a period.
    const { hour12 } = new Intl.DateTimeFormat(this.locale, { hour: 'numeric' }).resolvedOptions();
    const hour = options.hour && !hour12 ? '2-digit' : options.hour;
    const timeZoneName = timeZone === own || !isNamed ? undefined : 'short';
    const format = new Intl.DateTimeFormat(this.locale, { ...options, hour, timeZone, timeZoneName });
    dateFormats.set(name, format);
    return format;
  }

  #unit(value: number, unit: string, digits = 0): string {
    const style = {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    } as const;
    return new Intl.NumberFormat(this.locale, style).format(value);
  }
}

/** Formats of dates, which take long to make, by what they were made of: few languages and zones on a page. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** Returns true for a value of the attribute `time-zone`. */
export function namesTimeZone(text: string): boolean {
  return text === 'trip' || text === 'reader' || isTimeZone(text);
}

/** Returns true if the browser knows a zone of time by this IANA name. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}
