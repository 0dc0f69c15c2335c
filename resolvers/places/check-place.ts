import type { GeoPoint } from '../../schema/trips/geo-point.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { ringFault, ringOf } from '../../tracking/geometry/ring.ts';

const RADIUS_METERS = { min: 1, max: 100_000 } as const;
const MAX_CORNERS = 1000;
const MIN_CORNERS = 3;
const DAYS = 7;

/** @throws ServiceError BAD_REQUEST naming the parameter */
export function checkPoint(parameter: string, { lat, lon }: GeoPoint): GeoPoint {
  return { lat: checkRange(`${parameter}.lat`, lat, -90, 90), lon: checkRange(`${parameter}.lon`, lon, -180, 180) };
}

/** @throws ServiceError BAD_REQUEST naming the parameter */
export function checkRadius(radius: number): number {
  return checkRange('radius', radius, RADIUS_METERS.min, RADIUS_METERS.max);
}

/**
 * Returns the corners of a polygon, without the first one again at the end.
 * @throws ServiceError BAD_REQUEST naming the parameter
 */
export function checkPolygon(points: readonly GeoPoint[]): GeoPoint[] {
  const [first, last] = [points[0], points.at(-1)];
  const isClosed = points.length > 1 && first?.lat === last?.lat && first?.lon === last?.lon;
  const corners = isClosed ? points.slice(0, -1) : points;
  if (corners.length < MIN_CORNERS || corners.length > MAX_CORNERS) {
    throw bad('polygon', `must have ${MIN_CORNERS} to ${MAX_CORNERS} points`);
  }
  const checked = corners.map((corner, at) => checkPoint(`polygon[${at}]`, corner));
  const fault = ringFault(ringOf(checked));
  if (fault !== null) throw bad('polygon', fault);
  return checked;
}

/**
 * Returns weekdays in order, each once.
 * @throws ServiceError BAD_REQUEST naming the parameter
 */
export function checkWeekdays(days: readonly number[]): number[] {
  const isDay = (day: number) => Number.isInteger(day) && day >= 0 && day < DAYS;
  if (!days.every(isDay)) throw bad('active_weekdays', 'must be numbers from 0 (Monday) to 6 (Sunday)');
  return [...new Set(days)].toSorted((a, b) => a - b);
}

/** @throws ServiceError BAD_REQUEST naming the parameter */
export function checkTimeOfDay(parameter: string, time: string): string {
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) throw bad(parameter, 'must be a time of day, such as 07:30');
  return time;
}

/** @throws ServiceError BAD_REQUEST naming the parameter */
export function checkTimeZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    throw bad('time_zone', 'must be the name of a time zone, such as Europe/Berlin');
  }
}

/** @throws ServiceError BAD_REQUEST naming the parameter, where it is no number of the range */
function checkRange(parameter: string, value: number, min: number, max: number): number {
  if (value >= min && value <= max) return value;
  throw bad(parameter, `must be a number from ${min} to ${max}`);
}

function bad(parameter: string, fault: string): ServiceError {
  return new ServiceError('BAD_REQUEST', `${parameter} ${fault}`);
}
