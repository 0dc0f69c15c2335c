import type { GeoPoint } from '../../schema/trips/geo-point.ts';

import { EARTH_RADIUS_METERS, RADIANS, shortWay } from './haversine.ts';

/**
 * Corners of a polygon in order, in degrees. Longitudes continue from the first: they are beyond 180 or -180 if the ring
 * crosses the antimeridian.
 */
export interface Ring {
  readonly lat: Float64Array;
  readonly lon: Float64Array;
  /** West, south, east, north. */
  readonly box: readonly [number, number, number, number];
}

/** Ring of three or more corners. */
export function ringOf(points: readonly GeoPoint[]): Ring {
  const lat = Float64Array.from(points, (point) => point.lat);
  const lon = new Float64Array(points.length);
  for (const [at, point] of points.entries()) {
    const before = at === 0 ? point.lon : (lon[at - 1] ?? 0);
    lon[at] = before + shortWay(shortWay(point.lon - (before % 360)));
  }
  const box = [Math.min(...lon), Math.min(...lat), Math.max(...lon), Math.max(...lat)] as const;
  return { lat, lon, box };
}

/** Returns true if a position lies in a ring, by the even-odd rule over straight lines in degrees. */
export function isInRing({ lat, lon, box }: Ring, y: number, x: number): boolean {
  const [west] = box;
  // The one of x, x + 360 … that may be in the ring.
  const at = west + ((((x - west) % 360) + 360) % 360);
  let isInside = false;
  for (let i = 0, before = lat.length - 1; i < lat.length; before = i++) {
    const [yA, yB] = [lat[i] ?? 0, lat[before] ?? 0];
    if (yA > y === yB > y) continue;
    const [xA, xB] = [lon[i] ?? 0, lon[before] ?? 0];
    if (at < ((xB - xA) * (y - yA)) / (yB - yA) + xA) isInside = !isInside;
  }
  return isInside;
}

/** Meters from a position to the nearest side of a ring, on a plane that touches the earth at the position. */
export function metersToRing({ lat, lon }: Ring, y: number, x: number): number {
  const degree = EARTH_RADIUS_METERS * RADIANS;
  const [east, north] = [degree * Math.cos(y * RADIANS), degree];
  // Longitudes continue from that of the first corner, so those of all sides are on the same side of the antimeridian.
  const first = lon[0] ?? 0;
  const turns = shortWay(first - x) - first;
  const corner = (at: number) => [((lon[at] ?? 0) + turns) * east, ((lat[at] ?? 0) - y) * north] as const;
  let nearest = Infinity;
  for (let i = 0, before = lat.length - 1; i < lat.length; before = i++) {
    const [[xA, yA], [xB, yB]] = [corner(before), corner(i)];
    const [width, height] = [xB - xA, yB - yA];
    const along = Math.min(1, Math.max(0, -(xA * width + yA * height) / (width * width + height * height)));
    nearest = Math.min(nearest, Math.hypot(xA + along * width, yA + along * height));
  }
  return nearest;
}

/** Maximum width of a ring, in degrees: the inside of a wider one is ambiguous. */
const MAX_WIDTH = 180;

/** Names the fault of a ring, as the rest of a sentence about it; null if there is none. */
export function ringFault(ring: Ring): string | null {
  const [west, south, east, north] = ring.box;
  if (!(east - west < MAX_WIDTH)) return `must span less than ${MAX_WIDTH} degrees of longitude`;
  if (east === west || north === south) return 'must enclose an area';
  return crossesItself(ring) ? 'must not touch or cross itself' : null;
}

interface Side {
  readonly number: number;
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly west: number;
  readonly east: number;
}

/** Returns true if sides of a ring touch or cross other than at the corner between two of them. */
function crossesItself({ lat, lon }: Ring): boolean {
  const count = lat.length;
  const corner = (at: number) => [lon[at % count] ?? 0, lat[at % count] ?? 0] as const;
  const sides = Array.from({ length: count }, (_, number): Side => {
    const [from, to] = [corner(number), corner(number + 1)];
    return { number, from, to, west: Math.min(from[0], to[0]), east: Math.max(from[0], to[0]) };
  });
  sides.sort((a, b) => a.west - b.west);
  for (const [at, side] of sides.entries()) {
    // In this order, only sides that begin west of its end can meet a side.
    for (let next = at + 1; next < count; next++) {
      const other = sides[next];
      if (!other || other.west > side.east) break;
      if (meets(side, other, count)) return true;
    }
  }
  return false;
}

function meets(a: Side, b: Side, count: number): boolean {
  if ((a.number + 1) % count === b.number) return turnsBack(a, b);
  if ((b.number + 1) % count === a.number) return turnsBack(b, a);
  const [first, second] = [turn(a.from, a.to, b.from), turn(a.from, a.to, b.to)];
  const [third, fourth] = [turn(b.from, b.to, a.from), turn(b.from, b.to, a.to)];
  if (first !== second && third !== fourth) return true;
  return (
    (first === 0 && isWithin(a, b.from)) ||
    (second === 0 && isWithin(a, b.to)) ||
    (third === 0 && isWithin(b, a.from)) ||
    (fourth === 0 && isWithin(b, a.to))
  );
}

/** Returns true if a side lies on the one before it, or has no length. */
function turnsBack({ from, to }: Side, next: Side): boolean {
  if (turn(from, to, next.to) !== 0) return false;
  return (to[0] - from[0]) * (next.to[0] - to[0]) + (to[1] - from[1]) * (next.to[1] - to[1]) <= 0;
}

/** The side of a line on which a position lies: -1, 0 on the line, or 1. */
function turn(from: Side['from'], to: Side['to'], [x, y]: Side['to']): number {
  return Math.sign((to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]));
}

function isWithin({ from, to, west, east }: Side, [x, y]: Side['to']): boolean {
  return x >= west && x <= east && y >= Math.min(from[1], to[1]) && y <= Math.max(from[1], to[1]);
}
