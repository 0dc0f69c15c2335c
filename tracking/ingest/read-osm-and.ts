import { parseDateTime } from '../../schema/date-time.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import { MAX_ODOMETER } from '../geometry/readings.ts';

import { eventsOfAlarm, eventsOfEngine } from './alarm-events.ts';
import { checkFixTime, readFixTime } from './fix-time.ts';
import { badParameter, type Members, readNumber, readObject, readText } from './json-reader.ts';
import { numberOrNone, truthOrNone } from './json-reader.ts';
import { columnsOf, type SentPoint } from './read-points.ts';
import { KNOT, MAX_KNOTS } from './read-traccar.ts';

/** Times from here on are in milliseconds, earlier ones in seconds. */
const FIRST_MILLISECONDS = 2 ** 31;
const MAX_METERS_PER_SECOND = MAX_KNOTS * KNOT;

/**
 * Reads what OsmAnd, and Traccar Client before its version 9, send as parameters, all of them text, or what Traccar Client
 * has sent since as JSON: one position, or none where the device only says that it is there.
 * @see https://www.traccar.org/osmand
 * @throws ServiceError BAD_REQUEST naming the parameter, such as `lat` or `location.coords.latitude`
 */
export function readOsmAnd(message: Members, now: number): TripPoints {
  const { location } = message;
  const isJson = typeof location === 'object' && location !== null;
  const point = isJson ? readLocation(readObject('location', location), now) : readParameters(message, now);
  return columnsOf(point ? [point] : []);
}

function readParameters(message: Members, now: number): SentPoint | null {
  const [lat, lon] = typeof message.location === 'string' ? message.location.split(',') : [message.lat, message.lon];
  if ((lat === undefined && lon === undefined) || truthOrNone(message.valid) === false) return null;
  const { odometer, fuelLevel, batt } = message;
  const ignition = truthOrNone(message.ignition);
  return {
    lat: readDegrees('lat', lat, 90),
    lon: readDegrees('lon', lon, 180),
    time: readTime(message.timestamp, now),
    speed: numberOrNone(message.speed, 0, MAX_KNOTS) * KNOT,
    heading: numberOrNone(message.bearing ?? message.heading, 0, 360),
    events: [...eventsOfEngine(ignition), ...eventsOfAlarm(message.alarm)],
    readings: {
      odometer: numberOrNone(odometer, 0, MAX_ODOMETER),
      fuel_level: numberOrNone(fuelLevel, 0, 100),
      battery_level: numberOrNone(batt, 0, 100),
      ...(ignition !== undefined && { ignition: Number(ignition) }),
    },
  };
}

function readDegrees(name: string, text: unknown, max: number): number {
  const degrees = numberOrNone(readText(name, text), -max, max);
  if (Number.isNaN(degrees)) throw badParameter(name, `must be a number from ${-max} to ${max}`);
  return degrees;
}

/** Reads seconds or milliseconds since 1970, or a date-time with `T` or a space, without an offset in UTC; now where there is none. */
function readTime(text: unknown, now: number): number {
  if (text === undefined) return now;
  const written = readText('timestamp', text);
  const number = numberOrNone(written, 0, Number.MAX_SAFE_INTEGER);
  const milliseconds = number < FIRST_MILLISECONDS ? number * 1000 : number;
  const instant = Number.isNaN(number) ? parseDateTime(written.replace(' ', 'T'))?.instant : milliseconds;
  if (instant === undefined) throw badParameter('timestamp', 'must be seconds since 1970, or a date-time');
  return checkFixTime('timestamp', Math.trunc(instant), now);
}

/** The `odometer` there counts from when the app was installed: it is not the vehicle's. */
function readLocation({ timestamp, coords, battery, extras, alarm }: Members, now: number): SentPoint | null {
  if (coords === undefined || coords === null) return null;
  const { latitude, longitude, speed, heading } = readObject('location.coords', coords);
  const { level } = readObject('location.battery', battery ?? {});
  const further = readObject('location.extras', extras ?? {});
  return {
    lat: readNumber('location.coords.latitude', latitude, -90, 90),
    lon: readNumber('location.coords.longitude', longitude, -180, 180),
    time: readFixTime('location.timestamp', timestamp, now),
    speed: numberOrNone(speed, 0, MAX_METERS_PER_SECOND),
    heading: numberOrNone(heading, 0, 360),
    events: eventsOfAlarm(alarm ?? further.alarm),
    readings: { battery_level: numberOrNone(level, 0, 1) * 100 },
  };
}
