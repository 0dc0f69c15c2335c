import type { GeoPoint } from '../../schema/geo-point.ts';
import { POLYLINE_PRECISION } from '../../schema/polyline.ts';

import type { BoundingBox } from './bounding-box.ts';
import { EARTH_RADIUS_METERS, haversineMeters, RADIANS, shortWay } from './haversine.ts';

/** A circle on the ground. */
export interface Zone {
  readonly point: GeoPoint;
  readonly radius_meters: number;
}

/** Boxes are looked at with so many degrees more on every side: more than any rounding of a position moves it. */
const MARGIN_DEGREES = 1e-4;

/**
 * Whether a position lies in a zone, on its edge, or would do so in a polyline: a position just outside may round to one
 * inside, which must not leave either.
 */
export function isInZone({ point, radius_meters }: Zone, lat: number, lon: number): boolean {
  const isWithin = (y: number, x: number) => haversineMeters(point.lat, point.lon, y, x) <= radius_meters;
  return isWithin(lat, lon) || isWithin(inPolyline(lat), inPolyline(lon));
}

/** Whether a zone may hold something of a box; true where in doubt. */
export function mayMeetZone({ point, radius_meters }: Zone, [west, south, east, north]: BoundingBox): boolean {
  const angle = radius_meters / EARTH_RADIUS_METERS;
  const latReach = angle / RADIANS + MARGIN_DEGREES;
  if (point.lat + latReach < south || point.lat - latReach > north) return false;
  if (Math.abs(point.lat) + latReach >= 90) return true;
  const lonReach = Math.asin(Math.sin(angle) / Math.cos(point.lat * RADIANS)) / RADIANS + MARGIN_DEGREES;
  const width = (east - west + 360) % 360;
  const eastOfWest = (point.lon - west + lonReach + 720) % 360;
  return !(eastOfWest > width + 2 * lonReach);
}

/** Whether the straight way between two positions leads through a zone. */
export function isWayThroughZone({ point, radius_meters }: Zone, from: GeoPoint, to: GeoPoint): boolean {
  const northward = RADIANS * EARTH_RADIUS_METERS;
  const eastward = northward * Math.cos(point.lat * RADIANS);
  const [fromX, fromY] = [shortWay(from.lon - point.lon) * eastward, (from.lat - point.lat) * northward];
  const [toX, toY] = [shortWay(to.lon - point.lon) * eastward, (to.lat - point.lat) * northward];
  const [wayX, wayY] = [toX - fromX, toY - fromY];
  const squared = wayX * wayX + wayY * wayY;
  const along = squared === 0 ? 0 : Math.max(0, Math.min(1, -(fromX * wayX + fromY * wayY) / squared));
  return Math.hypot(fromX + along * wayX, fromY + along * wayY) <= radius_meters;
}

function inPolyline(degrees: number): number {
  const factor = 10 ** POLYLINE_PRECISION;
  return Math.round(degrees * factor) / factor;
}
