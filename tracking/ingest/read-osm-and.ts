import { SPEED_UNITS } from '../geometry/speeds.ts';

import { eventsOfAlarm } from './alarm-events.ts';
import { readTime } from './fix-time.ts';
import { badParameter, isMissing, type Members, numberOrNone, readObject, truthOrNone } from './json-reader.ts';
import { EXAMPLE_DEVICE_KEY, type MessageReader, type ReadMessage } from './message-reader.ts';
import { MAX_KNOTS } from './read-traccar.ts';
import { accuracyOrNone, readingsOf, readPlace, type SentReport } from './sent-report.ts';

const MAX_METERS_PER_SECOND = MAX_KNOTS * SPEED_UNITS.kn;
/** Meters per second in the units of a speed, as an address names them. */
const UNITS: ReadonlyMap<unknown, number> = new Map([
  ['kn', SPEED_UNITS.kn],
  ['kmh', SPEED_UNITS['km/h']],
  ['mph', SPEED_UNITS.mph],
  ['ms', SPEED_UNITS['m/s']],
]);

/** Parameters of OsmAnd and of Traccar Client before its version 9. */
const PARAMETERS = {
  id: "The device's own key; `deviceid` means the same.",
  lat: 'Latitude in degrees.',
  lon: 'Longitude in degrees.',
  timestamp: 'Seconds or milliseconds since 1970, or a date-time; now unless given.',
  speed: 'Knots, or the unit of `speed_unit`.',
  speed_unit: '`kmh`, `mph`, `ms` or `kn`.',
  accuracy: 'Meters.',
  bearing: 'Degrees clockwise from north; `heading` means the same.',
  batt: 'Battery of the device in percent.',
  valid: '`false` or `0` if there is no fix; then only time, events and readings count.',
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
        timestamp: { type: 'string', format: 'date-time', description: 'When the vehicle was there.' },
        coords: {
          title: 'OsmAndCoords',
          type: 'object',
          required: ['latitude', 'longitude'],
          properties: {
            latitude: { type: 'number', description: 'Latitude in degrees.' },
            longitude: { type: 'number', description: 'Longitude in degrees.' },
            accuracy: { type: 'number', description: 'Meters.' },
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
function readOsmAnd(message: Members, now: number): ReadMessage {
  const { location } = message;
  const isJson = typeof location === 'object' && location !== null;
  const report = isJson ? readLocation(readObject('location', location), now) : readParameters(message, now);
  return { reports: report ? [report] : [] };
}

function readParameters(message: Members, now: number): SentReport | null {
  const { location, timestamp, valid, speed_unit = 'kn', batt, accuracy } = message;
  const [lat, lon] = typeof location === 'string' ? location.split(',') : [message.lat, message.lon];
  const place = readPlace(['lat', lat], ['lon', lon]);
  if (place === null && isMissing(timestamp)) return null;
  const at = isMissing(timestamp) ? { time: now, isCorrected: false } : readTime('timestamp', timestamp, now);
  const unit = UNITS.get(speed_unit);
  if (unit === undefined) throw badParameter('speed_unit', `must be one of ${[...UNITS.keys()].join(', ')}`);
  const motion = {
    speed: numberOrNone(message.speed, 0, MAX_METERS_PER_SECOND / unit) * unit,
    heading: numberOrNone(message.bearing ?? message.heading, 0, 360),
    accuracy: accuracyOrNone(accuracy),
  };
  const fix = truthOrNone(valid) === false ? null : place && { ...place, ...motion, at };
  return { at, fix, ...factsOf({ ...message, batteryLevel: batt }) };
}

/** The `odometer` of a location counts from the installation of the app: it is not the vehicle's. */
function readLocation({ timestamp, coords, battery, extras, alarm }: Members, now: number): SentReport {
  const { latitude, longitude, speed, heading, accuracy } = readObject('location.coords', coords ?? {});
  const { level } = readObject('location.battery', battery ?? {});
  const further = readObject('location.extras', extras ?? {});
  const place = readPlace(['location.coords.latitude', latitude], ['location.coords.longitude', longitude]);
  const at = readTime('location.timestamp', timestamp, now);
  const motion = {
    speed: numberOrNone(speed, 0, MAX_METERS_PER_SECOND),
    heading: numberOrNone(heading, 0, 360),
    accuracy: accuracyOrNone(accuracy),
  };
  const batteryLevel = numberOrNone(level, 0, 1) * 100;
  return { at, fix: place && { ...place, ...motion, at }, ...factsOf({ alarm, ...further, batteryLevel }) };
}

/** Events and readings, under the names of Traccar. */
function factsOf(attributes: Members) {
  return { events: eventsOfAlarm(attributes.alarm), readings: readingsOf(attributes) };
}
