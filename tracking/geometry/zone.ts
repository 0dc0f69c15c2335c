import type { GeoPoint } from '../../schema/trips/geo-point.ts';
import { POLYLINE_PRECISION } from '../../schema/trips/polyline.ts';

import { EARTH_RADIUS_METERS, haversineMeters, RADIANS, shortWay } from './haversine.ts';
import { OUTLINE_UNITS_PER_DEGREE } from './outline.ts';
import type { Track } from './track.ts';

/** A circle on the ground. */
export interface Zone {
  readonly point: GeoPoint;
  readonly radius_meters: number;
}

const NORTHWARD_METERS_PER_DEGREE = RADIANS * EARTH_RADIUS_METERS;

const POLYLINE_UNITS_PER_DEGREE = 10 ** POLYLINE_PRECISION;

/** Maximum distance that the rounding of an outline and a polyline moves a position, in meters; with a margin. */
const MAX_ROUNDING_METERS = 2;

/** Returns true if a position lies in a zone or on its edge, as recorded or as rounded in outlines and polylines. */
export function isInZone({ point, radius_meters }: Zone, lat: number, lon: number): boolean {
  const reach = radius_meters + MAX_ROUNDING_METERS;
  if (Math.abs(lat - point.lat) * NORTHWARD_METERS_PER_DEGREE > reach) return false;
  const isWithin = (y: number, x: number, meters: number) => haversineMeters(point.lat, point.lon, y, x) <= meters;
  if (isWithin(lat, lon, radius_meters)) return true;
  if (!isWithin(lat, lon, reach)) return false;
  const [y, x] = [rounded(lat, OUTLINE_UNITS_PER_DEGREE), rounded(lon, OUTLINE_UNITS_PER_DEGREE)];
  return (
    isWithin(y, x, radius_meters) ||
    isWithin(rounded(y, POLYLINE_UNITS_PER_DEGREE), rounded(x, POLYLINE_UNITS_PER_DEGREE), radius_meters) ||
    isWithin(rounded(lat, POLYLINE_UNITS_PER_DEGREE), rounded(lon, POLYLINE_UNITS_PER_DEGREE), radius_meters)
  );
}

/** Returns true if position number `at` of a track lies in one of some zones, as in {@link isInZone}. */
export function isInZones(zones: readonly Zone[], { lat, lon }: Track, at: number): boolean {
  return zones.some((zone) => isInZone(zone, lat[at] ?? Number.NaN, lon[at] ?? Number.NaN));
}

/** Returns true if the straight line between two positions crosses a zone. */
export function isWayThroughZone({ point, radius_meters }: Zone, from: GeoPoint, to: GeoPoint): boolean {
  const fromY = (from.lat - point.lat) * NORTHWARD_METERS_PER_DEGREE;
  const toY = (to.lat - point.lat) * NORTHWARD_METERS_PER_DEGREE;
  if (Math.min(fromY, toY) > radius_meters || Math.max(fromY, toY) < -radius_meters) return false;
  const eastward = NORTHWARD_METERS_PER_DEGREE * Math.cos(point.lat * RADIANS);
  const [fromX, toX] = [shortWay(from.lon - point.lon) * eastward, shortWay(to.lon - point.lon) * eastward];
  const [wayX, wayY] = [toX - fromX, toY - fromY];
  const squared = wayX * wayX + wayY * wayY;
  const along = squared === 0 ? 0 : Math.max(0, Math.min(1, -(fromX * wayX + fromY * wayY) / squared));
  return Math.hypot(fromX + along * wayX, fromY + along * wayY) <= radius_meters;
}

function rounded(degrees: number, unitsPerDegree: number): number {
  return Math.round(degrees * unitsPerDegree) / unitsPerDegree;
}
