import type { LonLat } from './trip.ts';

/**
 * Lets longitudes run past ±180 where a path crosses that meridian, so that no line is drawn around the earth. Most paths
 * cross none, and are answered as they are.
 */
export function unwrapPath(path: readonly LonLat[]): readonly LonLat[] {
  if (!path.some(([lon], at) => Math.abs(lon - (path[at - 1]?.[0] ?? lon)) >= 180)) return path;
  let turns = 0;
  let previous: number | undefined;
  return path.map(([lon, lat]) => {
    if (previous !== undefined) turns -= Math.round((lon - previous) / 360);
    previous = lon;
    return [lon + turns * 360, lat];
  });
}
