import { stringsFor } from './strings.ts';
import type { Trip, TripStop } from './trip.ts';

/** Distances are said in one of these (attribute `units`). */
export type Units = 'km' | 'mi';

const METERS_PER_MILE = 1609.344;

/** Countries whose roads are signed in miles. */
const MILE_REGIONS = new Set(['US', 'GB', 'LR', 'MM']);

/** Says times, durations, distances and summaries in one language. */
export class TripFormat {
  readonly locale: string;
  readonly units: Units;
  #clock: Intl.DateTimeFormat | undefined;

  /** `locale` may be anything that an author wrote: what is no language tag is taken as English. */
  constructor(locale: string, units: string | null) {
    this.locale = isLocale(locale) ? locale : 'en';
    this.units = units === 'km' || units === 'mi' ? units : unitsOf(this.locale);
  }

  /** A moment in the reader's own time zone, which is named. */
  time(iso: string): string {
    const date = new Date(iso);
    if (Number.isNaN(date.getTime())) return iso;
    const format = new Intl.DateTimeFormat(this.locale, {
      month: 'short',
      day: 'numeric',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    });
    return format.format(date);
  }

  /** From one moment to another, the day said once: "Nov 3, 8:02 – 8:32 AM". */
  period(from: string, until: string | null): string {
    const format = new Intl.DateTimeFormat(this.locale, {
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    });
    const [start, end] = [new Date(from), new Date(until ?? from)];
    if (Number.isNaN(start.getTime()) || Number.isNaN(end.getTime())) return from;
    return format.formatRange(start, end);
  }

  /** The time of day of a moment in seconds since 1970, to the second, its zone named. */
  clock(seconds: number): string {
    this.#clock ??= new Intl.DateTimeFormat(this.locale, {
      hour: 'numeric',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'short',
    });
    return this.#clock.format(seconds * 1000);
  }

  /** A speed in metres per second. */
  speed(metersPerSecond: number): string {
    const unit = this.units === 'mi' ? 'mile' : 'kilometer';
    const meters = this.units === 'mi' ? METERS_PER_MILE : 1000;
    return this.#unit((metersPerSecond * 3600) / meters, `${unit}-per-hour`);
  }

  /** How many trips: "2 trips". */
  count(trips: number): string {
    const strings = stringsFor(this.locale);
    return trips === 1 ? strings.oneTrip : strings.trips.replace('{count}', this.#number(trips));
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
    const value = this.units === 'mi' ? meters / METERS_PER_MILE : meters / 1000;
    return this.#unit(value, this.units === 'mi' ? 'mile' : 'kilometer', value < 100 ? 1 : 0);
  }

  /** What a marker is called: "Stop, Nov 3, 2026, 8:02 AM GMT". */
  label({ kind, arrival, departure }: TripStop): string {
    const time = arrival ?? departure;
    const word = stringsFor(this.locale)[kind];
    return time ? `${word}, ${this.time(time)}` : word;
  }

  /** What a screen reader hears of all trips: number, distance, time on the road, first start and last end. */
  summary(trips: readonly Trip[]): string {
    const strings = stringsFor(this.locale);
    if (trips.length === 0) return strings.emptyHint;
    const meters = sum(trips.map(({ distanceMeters }) => distanceMeters));
    const seconds = sum(trips.map(({ durationSeconds }) => durationSeconds));
    const departure = trips[0]?.stops[0]?.departure;
    const arrival = trips.at(-1)?.stops.at(-1)?.arrival;
    return [
      this.count(trips.length),
      meters > 0 && this.distance(meters),
      seconds > 0 && this.duration(seconds),
      departure && `${strings.start}: ${this.time(departure)}`,
      arrival && `${strings.end}: ${this.time(arrival)}`,
    ]
      .filter(Boolean)
      .join('; ');
  }

  #unit(value: number, unit: string, digits = 0): string {
    return new Intl.NumberFormat(this.locale, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value);
  }

  #number(value: number): string {
    return new Intl.NumberFormat(this.locale).format(value);
  }
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

function unitsOf(locale: string): Units {
  return MILE_REGIONS.has(new Intl.Locale(locale).maximize().region ?? '') ? 'mi' : 'km';
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}
