import type { LonLat, Trip } from '../trips/trip.ts';

/** West, south, east, north. */
export type Bounds = [west: number, south: number, east: number, north: number];

/** Returns the smallest box around all trips; null if they have no positions. */
export function boundsOf(trips: readonly Pick<Trip, 'path' | 'stops'>[]): Bounds | null {
  const bounds: Bounds = [Infinity, Infinity, -Infinity, -Infinity];
  const extend = ([lon, lat]: LonLat): void => {
    bounds[0] = Math.min(bounds[0], lon);
    bounds[1] = Math.min(bounds[1], lat);
    bounds[2] = Math.max(bounds[2], lon);
    bounds[3] = Math.max(bounds[3], lat);
  };
  for (const { path, stops } of trips) {
    for (const position of path) extend(position);
    if (path.length === 0) for (const { position } of stops) extend(position);
  }
  return bounds[0] === Infinity ? null : bounds;
}
