import type { TripPoints } from '../../models/trips/trip-points.ts';
import { MAX_ODOMETER } from '../geometry/readings.ts';

import { checkFixTime } from './fix-time.ts';
import { type Members, readNumber } from './json-reader.ts';
import { numberOrNone, truthOrNone } from './json-reader.ts';
import type { MessageReader } from './message-reader.ts';
import { columnsOf } from './read-points.ts';

/** Meters per second in a kilometer per hour. */
const KILOMETER_PER_HOUR = 1 / 3.6;
/** Maximum plausible speed, in kilometers per hour. */
const MAX_SPEED = 20_000;

/** JSON Schema of a message. */
const MESSAGE = {
  title: 'OwnTracksMessage',
  type: 'object',
  required: ['_type'],
  properties: {
    _type: { type: 'string', description: 'Messages other than `location` are ignored.' },
    lat: { type: 'number' },
    lon: { type: 'number' },
    tst: { type: 'number', description: 'Seconds since 1970.' },
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
 * Reads a message of OwnTracks: a position where its `_type` is `location`, and none for other types, such as `transition`,
 * `status` or `encrypted`.
 * @see https://owntracks.org/booklet/tech/json/
 * @throws ServiceError BAD_REQUEST naming the parameter, such as `tst`
 */
function readOwnTracks(message: Members, now: number): TripPoints {
  if (message._type !== 'location') return columnsOf([]);
  const { tst, vel, cog, batt, odometer, flvl } = message;
  const ignition = truthOrNone(message.ign);
  const seconds = readNumber('tst', tst, 0, Number.MAX_SAFE_INTEGER / 1000);
  return columnsOf([
    {
      lat: readNumber('lat', message.lat, -90, 90),
      lon: readNumber('lon', message.lon, -180, 180),
      time: checkFixTime('tst', Math.trunc(seconds * 1000), now),
      speed: numberOrNone(vel, 0, MAX_SPEED) * KILOMETER_PER_HOUR,
      heading: numberOrNone(cog, 0, 360),
      events: [],
      readings: {
        odometer: numberOrNone(odometer, 0, MAX_ODOMETER / 1000) * 1000,
        fuel_level: numberOrNone(flvl, 0, 100),
        battery_level: numberOrNone(batt, 0, 100),
        ...(ignition !== undefined && { ignition: Number(ignition) }),
      },
    },
  ]);
}
