import { MAX_ODOMETER } from '../geometry/readings.ts';
import { METERS_PER_MILE } from '../geometry/speeds.ts';

import { EVENT, eventNamed } from './alarm-events.ts';
import { checkTime } from './fix-time.ts';
import { badParameter, isMissing, type Members, readInstant, readNumber, readObject } from './json-reader.ts';
import { readOptionalNumber, truthOrNone } from './json-reader.ts';
import type { SentReport } from './sent-report.ts';

/** Maximum number of positions of one request. */
export const MAX_POINTS = 1000;
/** Maximum plausible speed, in miles per hour. */
const MAX_SPEED = 10_000;
/** Maximum plausible accuracy, in meters: half way round the earth. */
const MAX_ACCURACY = 20_000_000;
const MAX_EVENTS = 16;

/**
 * Reads a list of trip points (decisions: "Records", Trip point), and omits unknown members.
 * @throws ServiceError BAD_REQUEST naming the parameter, such as `points[3].point.lat`
 */
export function readPoints(name: string, points: unknown, now: number): SentReport[] {
  if (points === undefined || points === null) throw badParameter(name, 'is required');
  if (!Array.isArray(points)) throw badParameter(name, 'must be a list');
  if (points.length > MAX_POINTS) throw badParameter(name, `must be at most ${MAX_POINTS}`);
  return points.map((point: unknown, at) => readPoint(`${name}[${at}]`, point, now));
}

function readPoint(name: string, value: unknown, now: number): SentReport {
  const sent = readObject(name, value);
  const { point, timestamp, heading, speed, accuracy } = sent;
  // Null says that there is no fix; a point that was forgotten is an error.
  const given = point === null ? null : readObject(`${name}.point`, point);
  const place = given && {
    lat: readNumber(`${name}.point.lat`, given.lat, -90, 90),
    lon: readNumber(`${name}.point.lon`, given.lon, -180, 180),
  };
  const at = checkTime(`${name}.timestamp`, readInstant(`${name}.timestamp`, timestamp), now);
  const motion = {
    heading: readOptionalNumber(`${name}.heading`, heading, 0, 360),
    speed: (readOptionalNumber(`${name}.speed`, speed, 0, MAX_SPEED) * METERS_PER_MILE) / 3600,
    accuracy: readOptionalNumber(`${name}.accuracy`, accuracy, 0, MAX_ACCURACY),
  };
  const fix = place && { ...place, ...motion, at };
  return { at, fix, events: readEvents(`${name}.events`, sent.events), readings: readReadings(name, sent) };
}

function readReadings(name: string, { odometer, fuel_level, battery_level, ignition }: Members) {
  const isOn = truthOrNone(ignition);
  if (isOn === undefined && !isMissing(ignition)) throw badParameter(`${name}.ignition`, 'must be true or false');
  const miles = readOptionalNumber(`${name}.odometer`, odometer, 0, MAX_ODOMETER / METERS_PER_MILE);
  return {
    odometer: miles * METERS_PER_MILE,
    fuel_level: readOptionalNumber(`${name}.fuel_level`, fuel_level, 0, 100),
    battery_level: readOptionalNumber(`${name}.battery_level`, battery_level, 0, 100),
    ignition: Number(isOn),
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
  return [...new Set((events as string[]).map(eventNamed))];
}
