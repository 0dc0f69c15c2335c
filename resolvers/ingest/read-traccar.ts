import type { TripPoints } from '../../models/trips/trip-points.ts';

import { IGNITION_OFF } from '../recording/cut-recording.ts';
import { readInstant, readNumber, readObject, readOptionalNumber, readText } from './json-reader.ts';
import { columnsOf } from './read-points.ts';

/** Meters per second in a knot. */
const KNOT = 1852 / 3600;
/** Beyond this a speed is no speed, in knots. */
const MAX_SPEED = 10_000;

/**
 * Reads a message of Traccar's position forwarding (`forward.type` `json`) or event forwarding, as Traccar writes it.
 * An ignition that is off ends the trip; `ignitionOn` among forwarded events begins one. A position that the tracker
 * calls invalid is left out.
 * @see https://www.traccar.org/forward
 * @throws ServiceError BAD_REQUEST naming the parameter, such as `position.fixTime`
 */
export function readTraccar(
  body: { readonly device: unknown; readonly position: unknown; readonly event: unknown },
  now: number,
): { readonly serial: string; readonly points: TripPoints } {
  const device = readObject('device', body.device);
  const serial = readText('device.uniqueId', device.uniqueId);
  const hasEvent = body.event !== undefined && body.event !== null;
  const type = hasEvent ? readText('event.type', readObject('event', body.event).type) : null;
  if (hasEvent && (body.position === undefined || body.position === null)) return { serial, points: columnsOf([]) };
  const position = readObject('position', body.position);
  const attributes = readObject('position.attributes', position.attributes ?? {});
  const point = {
    lat: readNumber('position.latitude', position.latitude, -90, 90),
    lon: readNumber('position.longitude', position.longitude, -180, 180),
    time: readInstant('position.fixTime', position.fixTime, now),
    speed: readOptionalNumber('position.speed', position.speed, 0, MAX_SPEED) * KNOT,
    heading: readOptionalNumber('position.course', position.course, 0, 360),
    events: eventsOf(type, attributes.ignition),
  };
  return { serial, points: columnsOf(position.valid === false ? [] : [point]) };
}

function eventsOf(type: string | null, ignition: unknown): string[] {
  if (type === 'ignitionOff' || ignition === false) return [IGNITION_OFF];
  return type === 'ignitionOn' ? ['engine_start'] : [];
}
