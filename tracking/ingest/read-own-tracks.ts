import { SPEED_UNITS } from '../geometry/speeds.ts';

import { readTimes } from './fix-time.ts';
import { type Members, numberOrNone } from './json-reader.ts';
import type { MessageReader, ReadMessage } from './message-reader.ts';
import { accuracyOrNone, readingsOf, readPlace } from './sent-report.ts';

/** Maximum plausible speed, in kilometers per hour. */
const MAX_SPEED = 20_000;

/** JSON Schema of a message. */
const MESSAGE = {
  title: 'OwnTracksMessage',
  type: 'object',
  required: ['_type'],
  properties: {
    _type: { type: 'string', description: 'Messages other than `location` are ignored.' },
    lat: { type: 'number', description: 'Latitude in degrees.' },
    lon: { type: 'number', description: 'Longitude in degrees.' },
    tst: { type: 'number', description: 'When the vehicle was there, in seconds since 1970.' },
    created_at: { type: 'number', description: 'When the message was made, in seconds since 1970.' },
    acc: { type: 'number', description: 'Accuracy in meters.' },
    vel: { type: 'number', description: 'Kilometers per hour.' },
    cog: { type: 'number', description: 'Degrees clockwise from north.' },
    batt: { type: 'number', description: 'Percent.' },
  },
};

/** Messages of OwnTracks in its mode HTTP. */
export const ownTracks: MessageReader = {
  methods: {
    POST: {
      limits: { message: MESSAGE },
      example: {
        _type: 'location',
        lat: 53.0758,
        lon: 8.8072,
        tst: 1772366400,
        vel: 30,
        cog: 90,
        batt: 85,
      },
    },
  },
  deviceKey: 'basic',
  mutation: 'ingestOwnTracks',
  description:
    "Adds the position of a message as OwnTracks sends it.\n\nThe password of HTTP Basic is the device's own key, " +
    'with any user name. Messages other than locations, and those that can never be stored, are answered like the ' +
    'others, and ignored.',
  messageDescription: 'A message in the JSON of OwnTracks.',
  answer: 'empty list',
  read: readOwnTracks,
};

/**
 * Reads a message of OwnTracks: a position if its `_type` is `location`, and none for other types, such as `transition`,
 * `status` or `encrypted`.
 * @see https://owntracks.org/booklet/tech/json/
 * @throws ServiceError BAD_REQUEST naming the parameter, such as `tst`
 */
function readOwnTracks(message: Members, now: number): ReadMessage {
  const { _type: type, tst, created_at, vel, cog, acc, batt, odometer, flvl, ign } = message;
  if (type !== 'location') {
    const reason = type === 'encrypted' ? 'encrypted' : 'ignored_kind';
    const detail = typeof type === 'string' ? `Messages of the type ${type}` : 'Messages without a type';
    return { reports: [], ignored: [{ reason, detail }] };
  }
  const { at, fixAt } = readTimes(['tst', tst], { created_at }, now);
  const place = readPlace(['lat', message.lat], ['lon', message.lon]);
  const motion = {
    speed: numberOrNone(vel, 0, MAX_SPEED) * SPEED_UNITS['km/h'],
    heading: numberOrNone(cog, 0, 360),
    accuracy: accuracyOrNone(acc),
  };
  const meters = numberOrNone(odometer, 0, Number.MAX_VALUE) * 1000;
  const report = {
    at,
    fix: place && fixAt && { ...place, ...motion, at: fixAt },
    events: [],
    readings: readingsOf({ odometer: meters, fuelLevel: flvl, batteryLevel: batt, ignition: ign }),
  };
  return { reports: [report] };
}
