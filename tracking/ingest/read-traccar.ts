import { MAX_ODOMETER } from '../geometry/readings.ts';

import { eventsOfAlarm } from './alarm-events.ts';
import { readFixTime } from './fix-time.ts';
import { type Members, readNumber, readObject, readText } from './json-reader.ts';
import { numberOrNone } from './json-reader.ts';
import type { SentBySerial } from './read-batch.ts';
import { columnsOf, type SentPoint } from './read-points.ts';

/** Meters per second in a knot. */
export const KNOT = 1852 / 3600;
/** Maximum plausible speed, in knots. */
export const MAX_KNOTS = 10_000;

/**
 * Reads a message of Traccar's position forwarding (`forward.type` `json`) or event forwarding, as Traccar writes it.
 * The ignition is a reading, also that of forwarded events; alarms are events of the position. A position that the tracker marks as invalid is omitted. An impossible speed or course is omitted too.
 * @see https://www.traccar.org/forward
 * @throws ServiceError BAD_REQUEST naming the parameter, such as `position.fixTime`
 */
export function readTraccar(
  body: { readonly device: unknown; readonly position: unknown; readonly event: unknown },
  now: number,
): SentBySerial {
  const device = readObject('device', body.device);
  const named = {
    serial: readText('device.uniqueId', device.uniqueId),
    name: typeof device.name === 'string' ? device.name : undefined,
  };
  const event = body.event === undefined || body.event === null ? null : readObject('event', body.event);
  const happened = event === null ? [] : eventsOf(event);
  if (event !== null && (body.position === undefined || body.position === null)) {
    return { ...named, points: columnsOf([]) };
  }
  const position = readObject('position', body.position);
  if (position.valid === false) return { ...named, points: columnsOf([]) };
  const attributes = readObject('position.attributes', position.attributes ?? {});
  const point: SentPoint = {
    lat: readNumber('position.latitude', position.latitude, -90, 90),
    lon: readNumber('position.longitude', position.longitude, -180, 180),
    time: readFixTime('position.fixTime', position.fixTime, now),
    speed: numberOrNone(position.speed, 0, MAX_KNOTS) * KNOT,
    heading: numberOrNone(position.course, 0, 360),
    events: [...new Set([...eventsOfAlarm(attributes.alarm), ...happened])],
    readings: readingsOf(ignitionOf(event, attributes)),
  };
  return { ...named, points: columnsOf([point]) };
}

/** The events that follow from a forwarded one, apart from those of the engine. */
function eventsOf(event: Members): string[] {
  const type = readText('event.type', event.type);
  if (type === 'deviceOverspeed') return ['trip_over_speeding'];
  return type === 'alarm' ? eventsOfAlarm(readObject('event.attributes', event.attributes ?? {}).alarm) : [];
}

/** The attributes of a position, with the state of the ignition that a forwarded event reports. */
function ignitionOf(event: Members | null, attributes: Members): Members {
  if (event?.type === 'ignitionOn') return { ...attributes, ignition: true };
  return event?.type === 'ignitionOff' ? { ...attributes, ignition: false } : attributes;
}

/** `totalDistance` is not an odometer: Traccar itself adds up the distances between positions. `fuel` is in liters. */
function readingsOf({ odometer, obdOdometer, fuelLevel, batteryLevel, ignition }: Members): SentPoint['readings'] {
  return {
    odometer: numberOrNone(odometer ?? obdOdometer, 0, MAX_ODOMETER),
    fuel_level: numberOrNone(fuelLevel, 0, 100),
    battery_level: numberOrNone(batteryLevel, 0, 100),
    ignition: typeof ignition === 'boolean' ? Number(ignition) : Number.NaN,
  };
}
