import type { Track } from './track.ts';

/** West, south, east, north in degrees. */
export type BoundingBox = [west: number, south: number, east: number, north: number];

/** The smallest box around a track with positions; west exceeds east across the antimeridian (RFC 7946, 5.2). */
export function boundingBox({ length, lat, lon }: Track): BoundingBox {
  let south = 90;
  let north = -90;
  let west = 180;
  let east = -180;
  let westOfPacific = 180;
  let eastOfPacific = -180;
  for (let i = 0; i < length; i++) {
    const y = lat[i] ?? 0;
    const x = lon[i] ?? 0;
    if (y < south) south = y;
    if (y > north) north = y;
    if (x < west) west = x;
    if (x > east) east = x;
    if (x >= 0 && x < westOfPacific) westOfPacific = x;
    if (x < 0 && x > eastOfPacific) eastOfPacific = x;
  }
  const isShorterAcross = east - west > 180 && eastOfPacific + 360 - westOfPacific < east - west;
  return isShorterAcross ? [westOfPacific, south, eastOfPacific, north] : [west, south, east, north];
}
