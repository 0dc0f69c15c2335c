import type { GeoPoint } from '../../schema/trips/geo-point.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { ringFault, ringOf } from '../../tracking/geometry/ring.ts';

const RADIUS_METERS = { min: 1, max: 100_000 } as const;
const MAX_CORNERS = 1000;
const MIN_CORNERS = 3;

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

/** @throws ServiceError BAD_REQUEST naming the parameter, where it is no number of the range */
function checkRange(parameter: string, value: number, min: number, max: number): number {
  if (value >= min && value <= max) return value;
  throw bad(parameter, `must be a number from ${min} to ${max}`);
}

function bad(parameter: string, fault: string): ServiceError {
  return new ServiceError('BAD_REQUEST', `${parameter} ${fault}`);
}
