import { SPEED_UNITS } from '../geometry/speeds.ts';

import { eventsOfAlarm } from './alarm-events.ts';
import { readTimes } from './fix-time.ts';
import { isMissing, type Members, numberOrNone, readObject, readText, truthOrNone } from './json-reader.ts';
import type { ReadMessage } from './message-reader.ts';
import type { NamedDevice } from './read-batch.ts';
import { accuracyOrNone, readingsOf, readPlace } from './sent-report.ts';

/** Maximum plausible speed, in knots. */
export const MAX_KNOTS = 10_000;

/**
 * Reads a message of Traccar's position forwarding (`forward.type` `json`) or event forwarding, as Traccar writes it or as
 * programs do that post what its REST API returns. The ignition is a reading, also that of forwarded events; alarms are events. An impossible speed or course is omitted.
 * @see https://www.traccar.org/forward
 * @throws ServiceError BAD_REQUEST naming the parameter, such as `position.fixTime`
 */
export function readTraccar(
  body: { readonly device: unknown; readonly position: unknown; readonly event: unknown },
  now: number,
): NamedDevice & ReadMessage {
  const device = readObject('device', body.device);
  const named = {
    serial: readText('device.uniqueId', device.uniqueId),
    name: typeof device.name === 'string' ? device.name : undefined,
  };
  const event = isMissing(body.event) ? null : readObject('event', body.event);
  const type = event && readText('event.type', event.type);
  const position = event && isMissing(body.position) ? null : readObject('position', body.position);
  const attributes: Members = { ...readObject('position.attributes', position?.attributes ?? {}), ...ignitionOf(type) };
  const isEvent = alarmsOf(event).length > 0 || ignitionOf(type) !== null;
  if (position === null && !isEvent) {
    return {
      ...named,
      reports: [],
      ignored: [{ reason: 'ignored_kind', detail: `Events of the type ${type}` }],
    };
  }
  const { at, fixAt } = readTimes(
    ['position.fixTime', position?.fixTime],
    {
      ...(isEvent && { 'event.eventTime': event?.eventTime }),
      'position.deviceTime': position?.deviceTime,
      // When the message came: buffered positions come late.
      'position.serverTime': isMissing(position?.fixTime) ? position?.serverTime : null,
    },
    now,
  );
  const events = [...new Set([...eventsOfAlarm(attributes.alarm), ...alarmsOf(event)])];
  const fix = position && fixAt && fixOf(position);
  const report = { at, fix: fix && fixAt && { ...fix, at: fixAt }, events, readings: readingsOf(attributes) };
  return { ...named, reports: [report] };
}

function fixOf({ valid, latitude, longitude, speed, course, accuracy }: Members) {
  const place = readPlace(['position.latitude', latitude], ['position.longitude', longitude]);
  if (place === null || truthOrNone(valid) === false) return null;
  return {
    ...place,
    speed: numberOrNone(speed, 0, MAX_KNOTS) * SPEED_UNITS.kn,
    heading: numberOrNone(course, 0, 360),
    accuracy: accuracyOrNone(accuracy),
  };
}

/** The state of the ignition that a forwarded event reports; null for other events. */
function ignitionOf(type: string | null): { readonly ignition: boolean } | null {
  return type === 'ignitionOn' || type === 'ignitionOff' ? { ignition: type === 'ignitionOn' } : null;
}

/** The alarms that a forwarded event reports. */
function alarmsOf(event: Members | null): string[] {
  if (event?.type === 'deviceOverspeed') return ['trip_over_speeding'];
  return event?.type === 'alarm' ? eventsOfAlarm(readObject('event.attributes', event.attributes ?? {}).alarm) : [];
}
