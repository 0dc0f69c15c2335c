import { emptyTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import { storedDegrees, storedHeading, storedSpeed } from '../../models/trips/trip-points-codec.ts';
import { emptyReadings, READINGS, storedReading, type TripReadings } from '../../models/trips/trip-readings.ts';
import { MAX_ODOMETER } from '../geometry/readings.ts';
import { METERS_PER_MILE } from '../geometry/speeds.ts';

import { EVENT } from './alarm-events.ts';
import { badParameter, type Members, readInstant, readNumber, readObject, readOptionalNumber } from './json-reader.ts';

/** Maximum number of positions of one request. */
export const MAX_POINTS = 1000;
/** Maximum plausible speed, in miles per hour. */
const MAX_SPEED = 10_000;
const MAX_EVENTS = 16;

/** A position that a device sent: ms since 1970, degrees, meters per second; NaN if no speed or heading was sent. */
export interface SentPoint {
  readonly lat: number;
  readonly lon: number;
  readonly time: number;
  readonly speed: number;
  readonly heading: number;
  readonly events: readonly string[];
  /** In the units of {@link TripReadings}; NaN, or omitted, if there is none. */
  readonly readings: Readonly<Partial<Record<keyof TripReadings, number>>>;
}

/**
 * Reads a list of trip points (decisions: "Records", Trip point), and omits unknown members.
 * @throws ServiceError BAD_REQUEST naming the parameter, such as `points[3].point.lat`
 */
export function readPoints(name: string, points: unknown, now: number): TripPoints {
  if (points === undefined || points === null) throw badParameter(name, 'is required');
  if (!Array.isArray(points)) throw badParameter(name, 'must be a list');
  if (points.length > MAX_POINTS) throw badParameter(name, `must be at most ${MAX_POINTS}`);
  return columnsOf(points.map((point: unknown, at) => readPoint(`${name}[${at}]`, point, now)));
}

/** Positions as columns, rounded to the stored precision. */
export function columnsOf(sent: readonly SentPoint[]): TripPoints {
  const columns = emptyTripPoints(sent.length);
  const events = new Map<number, readonly string[]>();
  for (const [at, point] of sent.entries()) {
    columns.time[at] = point.time;
    columns.lat[at] = storedDegrees(point.lat);
    columns.lon[at] = storedDegrees(point.lon);
    columns.speed[at] = storedSpeed(point.speed);
    columns.heading[at] = storedHeading(point.heading);
    if (point.events.length > 0) events.set(at, point.events);
  }
  const readings = readingsOf(sent);
  return { ...columns, events, ...(readings && { readings }) };
}

function readingsOf(sent: readonly SentPoint[]): TripReadings | null {
  if (!sent.some(({ readings }) => Object.values(readings).some((value) => !Number.isNaN(value)))) return null;
  const columns = emptyReadings(sent.length);
  for (const [at, { readings }] of sent.entries()) {
    for (const { name } of READINGS) columns[name][at] = storedReading(name, readings[name] ?? Number.NaN);
  }
  return columns;
}

function readPoint(name: string, value: unknown, now: number): SentPoint {
  const sent = readObject(name, value);
  const place = readObject(`${name}.point`, sent.point);
  return {
    lat: readNumber(`${name}.point.lat`, place.lat, -90, 90),
    lon: readNumber(`${name}.point.lon`, place.lon, -180, 180),
    time: readInstant(`${name}.timestamp`, sent.timestamp, now),
    heading: readOptionalNumber(`${name}.heading`, sent.heading, 0, 360),
    speed: (readOptionalNumber(`${name}.speed`, sent.speed, 0, MAX_SPEED) * METERS_PER_MILE) / 3600,
    events: readEvents(`${name}.events`, sent.events),
    readings: readReadings(name, sent),
  };
}

function readReadings(name: string, { odometer, fuel_level, battery_level, ignition }: Members) {
  if (ignition !== undefined && ignition !== null && typeof ignition !== 'boolean') {
    throw badParameter(`${name}.ignition`, 'must be true or false');
  }
  const miles = readOptionalNumber(`${name}.odometer`, odometer, 0, MAX_ODOMETER / METERS_PER_MILE);
  return {
    odometer: miles * METERS_PER_MILE,
    fuel_level: readOptionalNumber(`${name}.fuel_level`, fuel_level, 0, 100),
    battery_level: readOptionalNumber(`${name}.battery_level`, battery_level, 0, 100),
    ignition: typeof ignition === 'boolean' ? Number(ignition) : Number.NaN,
  };
}

function readEvents(name: string, events: unknown): readonly string[] {
  if (events === undefined || events === null) return [];
  if (!Array.isArray(events)) throw badParameter(name, 'must be a list');
  if (events.length > MAX_EVENTS) throw badParameter(name, `must be at most ${MAX_EVENTS}`);
  for (const [at, event] of events.entries()) {
    if (typeof event === 'string' && EVENT.test(event)) continue;
    throw badParameter(`${name}[${at}]`, 'must be a word of a-z, 0-9 and _, such as engine_start');
  }
  return [...new Set(events as string[])];
}
