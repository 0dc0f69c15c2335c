import { markWord } from '../../models/trips/position-marks.ts';
import { emptyTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import { storedDegrees, storedHeading, storedSpeed } from '../../models/trips/trip-points-codec.ts';
import { emptyReadings, READINGS, storedReading, type TripReadings } from '../../models/trips/trip-readings.ts';
import { MAX_ODOMETER } from '../geometry/readings.ts';

import type { ReportedTime } from './fix-time.ts';
import { isMissing, type Members, numberOrNone, readNumber, truthOrNone } from './json-reader.ts';

/**
 * Age of the fix of a message from which it is repeated rather than new, in milliseconds. Messages that repeat a fix sooner share
 * its time, and of each reading the first counts; a longer age would lose the ignition of more of them.
 */
const STALE_AFTER_MS = 10_000;

/** A place in degrees. */
type Place = Readonly<Record<'lat' | 'lon', number>>;

/** A fix as the receiver reports it; NaN for what is not known. */
interface Fix extends Place {
  readonly at: ReportedTime;
  /** Meters per second. */
  readonly speed: number;
  /** Degrees clockwise from north. */
  readonly heading: number;
  /** Meters. */
  readonly accuracy: number;
}

/** A report of a device in one message. */
export interface SentReport {
  /** Time of the message. */
  readonly at: ReportedTime;
  /** Null if the message has no fix. */
  readonly fix: Fix | null;
  readonly events: readonly string[];
  /** In the units of {@link TripReadings}; NaN, or omitted, if there is none. */
  readonly readings: Readonly<Partial<Record<keyof TripReadings, number>>>;
}

/** A position to be stored. */
interface Entry extends Pick<Fix, 'lat' | 'lon' | 'speed' | 'heading'>, Pick<SentReport, 'events' | 'readings'> {
  readonly at: ReportedTime;
  /** Marks, as words. */
  readonly marks: readonly string[];
}

const NOWHERE = { lat: Number.NaN, lon: Number.NaN, speed: Number.NaN, heading: Number.NaN };

/**
 * Reports as positions, rounded to the stored precision. A report without a fix is a marked position without a place (NaN); one
 * with an old fix is such a position beside that fix.
 *
 * @param accuracy the accuracy above which a fix is not believed, in meters
 */
export function pointsOf(reports: readonly SentReport[], accuracy: number): TripPoints {
  const entries = reports.flatMap((report) => entriesOf(report, accuracy));
  const columns = emptyTripPoints(entries.length);
  const events = new Map<number, readonly string[]>();
  for (const [at, entry] of entries.entries()) {
    columns.time[at] = entry.at.time;
    columns.lat[at] = storedDegrees(entry.lat);
    columns.lon[at] = storedDegrees(entry.lon);
    columns.speed[at] = storedSpeed(entry.speed);
    columns.heading[at] = storedHeading(entry.heading);
    const corrected = entry.at.isCorrected ? [markWord('time_corrected')] : [];
    const words = [...new Set([...entry.events, ...entry.marks, ...corrected])];
    if (words.length > 0) events.set(at, words);
  }
  const readings = readingsIn(entries);
  return { ...columns, events, ...(readings && { readings }) };
}

function entriesOf({ at, fix, events, readings }: SentReport, accuracy: number): Entry[] {
  const facts = { events, readings };
  // Receivers report 0, 0 before their first fix.
  if (fix === null || (fix.lat === 0 && fix.lon === 0))
    return [{ ...NOWHERE, at, marks: [markWord('invalid')], ...facts }];
  const marks = fix.accuracy > accuracy ? [markWord('inaccurate', Math.round(fix.accuracy))] : [];
  if (at.time - fix.at.time <= STALE_AFTER_MS) return [{ ...fix, marks, ...facts }];
  return [
    { ...fix, marks, events: [], readings: {} },
    { ...NOWHERE, at, marks: [markWord('stale')], ...facts },
  ];
}

function readingsIn(entries: readonly Entry[]): TripReadings | null {
  if (!entries.some(({ readings }) => Object.values(readings).some((value) => !Number.isNaN(value)))) return null;
  const columns = emptyReadings(entries.length);
  for (const [at, { readings }] of entries.entries()) {
    for (const { name } of READINGS) columns[name][at] = storedReading(name, readings[name] ?? Number.NaN);
  }
  return columns;
}

/**
 * Reads a place; null if there are no coordinates.
 * @throws ServiceError BAD_REQUEST naming the parameter, if they are not on earth
 */
export function readPlace(lat: readonly [name: string, value: unknown], lon: typeof lat): Place | null {
  if (isMissing(lat[1]) && isMissing(lon[1])) return null;
  return { lat: readNumber(...lat, -90, 90), lon: readNumber(...lon, -180, 180) };
}

/** Readings under the names of Traccar: meters, percent. `totalDistance` is not an odometer: Traccar adds it up itself. */
export function readingsOf({ odometer, obdOdometer, fuelLevel, batteryLevel, ignition }: Members) {
  return {
    odometer: numberOrNone(odometer ?? obdOdometer, 0, MAX_ODOMETER),
    fuel_level: numberOrNone(fuelLevel, 0, 100),
    battery_level: numberOrNone(batteryLevel, 0, 100),
    ignition: Number(truthOrNone(ignition)),
  };
}

/** Reads an accuracy in meters; NaN if there is none. */
export function accuracyOrNone(value: unknown): number {
  return numberOrNone(value, 0, Number.MAX_VALUE);
}
