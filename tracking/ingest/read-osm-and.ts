import { parseDateTime } from '../../schema/date-time.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import { MAX_ODOMETER } from '../geometry/readings.ts';

import { eventsOfAlarm } from './alarm-events.ts';
import { checkFixTime, readFixTime } from './fix-time.ts';
import { badParameter, type Members, readNumber, readObject, readText } from './json-reader.ts';
import { numberOrNone, truthOrNone } from './json-reader.ts';
import { EXAMPLE_DEVICE_KEY, type MessageReader } from './message-reader.ts';
import { columnsOf, type SentPoint } from './read-points.ts';
import { KNOT, MAX_KNOTS } from './read-traccar.ts';

/** Numbers from this one on are milliseconds, smaller ones seconds. */
const FIRST_MILLISECONDS = 2 ** 31;
const MAX_METERS_PER_SECOND = MAX_KNOTS * KNOT;

/** Parameters of OsmAnd and of Traccar Client before its version 9. */
const PARAMETERS = {
  id: "The device's own key; `deviceid` means the same.",
  lat: 'Latitude in degrees.',
  lon: 'Longitude in degrees.',
  timestamp: 'Seconds or milliseconds since 1970, or a date-time; now unless given.',
  speed: 'Knots.',
  bearing: 'Degrees clockwise from north; `heading` means the same.',
  batt: 'Battery of the device in percent.',
  valid: '`false` or `0` if there is no fix; then nothing is stored.',
};

/** JSON Schema of a message of Traccar Client since its version 9. */
const MESSAGE = {
  title: 'OsmAndMessage',
  type: 'object',
  required: ['device_id'],
  properties: {
    device_id: { type: 'string', description: "The device's own key." },
    location: {
      title: 'OsmAndLocation',
      type: 'object',
      properties: {
        timestamp: { type: 'string', format: 'date-time' },
        coords: {
          title: 'OsmAndCoords',
          type: 'object',
          required: ['latitude', 'longitude'],
          properties: {
            latitude: { type: 'number' },
            longitude: { type: 'number' },
            speed: { type: 'number', description: 'Meters per second; -1 for none.' },
            heading: { type: 'number', description: 'Degrees clockwise from north; -1 for none.' },
          },
        },
        battery: {
          title: 'OsmAndBattery',
          type: 'object',
          properties: { level: { type: 'number', description: 'From 0 to 1; -1 for none.' } },
        },
      },
    },
  },
};

/** Messages of OsmAnd and Traccar Client: `id` and `deviceid` are parameters, `device_id` is in JSON. */
export const osmAnd: MessageReader = {
  methods: {
    GET: { parameters: PARAMETERS, exampleParameters: { id: EXAMPLE_DEVICE_KEY, lat: '53.0758', lon: '8.8072' } },
    POST: {
      limits: { message: MESSAGE },
      example: {
        device_id: EXAMPLE_DEVICE_KEY,
        location: {
          timestamp: '2026-03-01T12:00:00.000Z',
          coords: { latitude: 53.0758, longitude: 8.8072, speed: 8.3, heading: 90 },
          battery: { level: 0.85 },
        },
      },
    },
  },
  deviceKey: ['id', 'deviceid', 'device_id'],
  mutation: 'ingestOsmAnd',
  description:
    'Adds the position of a message as OsmAnd and Traccar Client send it.\n\nThe `id`, in JSON `device_id`, is the ' +
    "device's own key. A message that can never be stored is answered with success, and the reason is in `refused`.",
  messageDescription: 'Parameters, or the JSON of Traccar Client 9.',
  answer: 'outcome',
  read: readOsmAnd,
};

/**
 * Reads what OsmAnd, and Traccar Client before its version 9, send as parameters, all of them text, or what Traccar Client
 * has sent since as JSON: one position, or none if the device only reports that it is online.
 * @see https://www.traccar.org/osmand
 * @throws ServiceError BAD_REQUEST naming the parameter, such as `lat` or `location.coords.latitude`
 */
function readOsmAnd(message: Members, now: number): TripPoints {
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
    events: eventsOfAlarm(message.alarm),
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

/**
 * Reads seconds or milliseconds since 1970, or a date-time with `T` or a space, without an offset in UTC; now if there is none.
 */
function readTime(text: unknown, now: number): number {
  if (text === undefined) return now;
  const written = readText('timestamp', text);
  const number = numberOrNone(written, 0, Number.MAX_SAFE_INTEGER);
  const milliseconds = number < FIRST_MILLISECONDS ? number * 1000 : number;
  const instant = Number.isNaN(number) ? parseDateTime(written.replace(' ', 'T'))?.instant : milliseconds;
  if (instant === undefined) throw badParameter('timestamp', 'must be seconds since 1970, or a date-time');
  return checkFixTime('timestamp', Math.trunc(instant), now);
}

/** The `odometer` there counts from the installation of the app: it is not the vehicle's. */
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
