import { finish, rangesOf, type Steps } from '../scheduling/steps.ts';
import type { Track } from './track.ts';

/** Mean radius of the earth in meters (IUGG). Decisions: "Records", distance. */
export const EARTH_RADIUS_METERS = 6_371_008.8;

/** Radians in a degree. */
export const RADIANS = Math.PI / 180;

/** Great-circle distance in meters between two positions in degrees. */
export function haversineMeters(latA: number, lonA: number, latB: number, lonB: number): number {
  const sinLat = Math.sin(((latB - latA) * RADIANS) / 2);
  const sinLon = Math.sin(((lonB - lonA) * RADIANS) / 2);
  const a = sinLat * sinLat + Math.cos(latA * RADIANS) * Math.cos(latB * RADIANS) * sinLon * sinLon;
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(a)));
}

/** A difference of longitudes in degrees, the short way around. */
export function shortWay(degrees: number): number {
  return degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees;
}

/** Meters from each position to the next; one fewer than positions. */
export function* distanceSteps({ length, lat, lon }: Track): Steps<Float64Array> {
  const distances = new Float64Array(Math.max(0, length - 1));
  for (const [from, until] of rangesOf(distances.length)) {
    for (let i = from; i < until; i++) {
      distances[i] = haversineMeters(lat[i] ?? 0, lon[i] ?? 0, lat[i + 1] ?? 0, lon[i + 1] ?? 0);
    }
    yield;
  }
  return distances;
}

/** Does {@link distanceSteps} in one go. */
export function stepDistances(track: Track): Float64Array {
  return finish(distanceSteps(track));
}
