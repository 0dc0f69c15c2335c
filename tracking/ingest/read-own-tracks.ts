import type { TripPoints } from '../../models/trips/trip-points.ts';
import { MAX_ODOMETER } from '../geometry/readings.ts';

import { eventsOfEngine } from './alarm-events.ts';
import { checkFixTime } from './fix-time.ts';
import { type Members, readNumber } from './json-reader.ts';
import { numberOrNone, truthOrNone } from './json-reader.ts';
import { columnsOf } from './read-points.ts';

/** Meters per second in a kilometer per hour. */
const KILOMETER_PER_HOUR = 1 / 3.6;
/** Beyond this a speed is no speed, in kilometers per hour. */
const MAX_SPEED = 20_000;

/**
 * Reads a message of OwnTracks: a position where its `_type` is `location`, and none of any other, such as `transition`,
 * `status` or `encrypted`.
 * @see https://owntracks.org/booklet/tech/json/
 * @throws ServiceError BAD_REQUEST naming the parameter, such as `tst`
 */
export function readOwnTracks(message: Members, now: number): TripPoints {
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
      events: eventsOfEngine(ignition),
      readings: {
        odometer: numberOrNone(odometer, 0, MAX_ODOMETER / 1000) * 1000,
        fuel_level: numberOrNone(flvl, 0, 100),
        battery_level: numberOrNone(batt, 0, 100),
        ...(ignition !== undefined && { ignition: Number(ignition) }),
      },
    },
  ]);
}
