import { allStreets, type Position, type Street } from './streets.ts';

/** Meters from one point of a route to the next. */
export const STEP = 5;

/** A way along streets, as points at equal steps. */
export interface Route {
  readonly positions: readonly Position[];
  /** Free-flow speed there, in meters per second. */
  readonly speeds: readonly number[];
  /** Indexes of the points that are crossings with lights. */
  readonly crossings: readonly number[];
}

/** Meters per degree of latitude. */
export const METERS_PER_DEGREE = 111_195;

/** Finds the routes of tours, each given as places separated by commas. */
export function routesOf(tours: readonly string[]): Route[] {
  return tours.map((tour) => routeAlong(tour.split(', ')));
}

/**
 * Finds the way along streets.
 *
 * @throws TypeError if no street leads from one place to the next
 */
export function routeAlong(places: readonly string[]): Route {
  const positions: Position[] = [];
  const speeds: number[] = [];
  const crossings: number[] = [];
  for (const [at, to] of places.entries()) {
    const from = places[at - 1];
    if (from === undefined) continue;
    const points = pointsOf(findStreet(from, to));
    if (positions.length > 0) crossings.push(positions.length);
    crossings.push(...points.crossings.map((index) => positions.length + index));
    positions.push(...points.positions);
    speeds.push(...points.speeds);
  }
  return { positions, speeds, crossings };
}

function findStreet(from: string, to: string): Street {
  const found = allStreets().find((street) => street.from === from && street.to === to);
  if (!found) throw new TypeError(`No street leads from ${from} to ${to}`);
  return found;
}

/** Cached points of streets. */
const driven = new Map<Street, Route>();

function pointsOf(street: Street): Route {
  const points = driven.get(street) ?? sample(street);
  driven.set(street, points);
  return points;
}

/** Points at equal steps along a street; its last step may be shorter. */
function sample({ path, kmh, lights }: Street): Route {
  const positions: Position[] = [];
  const speeds: number[] = [];
  const crossings: number[] = [];
  let next = 0;
  for (const [at, to] of path.entries()) {
    const from = path[at - 1];
    if (!from) continue;
    const length = metersBetween(from, to);
    for (; next < length; next += STEP) {
      const share = next / length;
      positions.push([from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]);
      speeds.push((kmh[at - 1] ?? 0) / 3.6);
    }
    next -= length;
    if (lights.includes(at)) crossings.push(positions.length - 1);
  }
  return { positions, speeds, crossings };
}

function metersBetween([lat1, lon1]: Position, [lat2, lon2]: Position): number {
  const east = (lon2 - lon1) * Math.cos((lat1 * Math.PI) / 180);
  return Math.hypot(east, lat2 - lat1) * METERS_PER_DEGREE;
}

/** Direction from a point of a line to the next one, in degrees clockwise from north. */
export function headingAt(positions: readonly Position[], at: number): number {
  const from = Math.min(Math.max(0, at), positions.length - 2);
  const [lat1, lon1] = positions[from] ?? [0, 0];
  const [lat2, lon2] = positions[from + 1] ?? [0, 0];
  const east = (lon2 - lon1) * Math.cos((lat1 * Math.PI) / 180);
  return ((Math.atan2(east, lat2 - lat1) * 180) / Math.PI + 360) % 360;
}
