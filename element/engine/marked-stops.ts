import { type LonLat, type Trip, tripColor, type TripPalette, type TripStop } from '../trips/trip.ts';
import type { PlacedStop } from '../trips/trip-format.ts';

/** A stop with the trip that it belongs to, as it is marked on the map. */
export interface MarkedStop extends PlacedStop {
  readonly tripKey: string;
  readonly color: string;
}

/** Maximum number of trips with stops, flags and arrows. Of more, the lines alone are drawn, thin and translucent. */
export const MAX_MARKED_TRIPS = 12;

/** A stop this near to the start or end of its trip is marked by that flag. */
const SAME_PLACE_METERS = 60;

const METERS_A_DEGREE = 111_195;

/** Color of stops on lines that are colored by speed, which starts and ends tell apart. */
const NEUTRAL = '#6f7e94';

/** Returns the stops of trips to be marked, in the order of travel. */
export function markedStops(trips: readonly Trip[], palette: TripPalette, bySpeed: boolean): MarkedStop[] {
  return trips.flatMap(({ key, stops, colorIndex }, trip) => {
    const marked = mergeStops(stops);
    const own = tripColor(colorIndex ?? trip, palette);
    return marked.map((stop, at) => ({
      ...{ stop, tripKey: key, color: bySpeed && stop.kind === 'stop' ? NEUTRAL : own },
      ...{ place: [trip, at] as const, count: marked.length },
    }));
  });
}

/** Merges a stop that begins or ends a trip with its start or end, which then has the times of both. */
export function mergeStops(stops: readonly TripStop[]): readonly TripStop[] {
  const merged = [...stops];
  const [start, first] = merged;
  if (start?.kind === 'start' && first?.kind === 'stop' && isNear(start, first)) {
    const { departure } = first;
    merged.splice(0, 2, { ...start, departure, stayed: secondsBetween(start.departure, departure) });
  }
  const [last, end] = merged.slice(-2);
  if (end?.kind === 'end' && last?.kind === 'stop' && isNear(end, last)) {
    const { arrival } = last;
    merged.splice(-2, 2, { ...end, arrival, stayed: secondsBetween(arrival, end.arrival) });
  }
  return merged;
}

/** A stop of a trip, and the way to it from the one before. */
export interface Leg {
  readonly to: TripStop;
  readonly meters: number;
  /** null if not known. */
  readonly seconds: number | null;
}

/** Finds the way from the stop at an index of the marked stops of a trip to the next one; null from the last. */
export function legFrom({ stops, path, breaks }: Trip, at: number): Leg | null {
  const marked = mergeStops(stops);
  const [from, to] = [marked[at], marked[at + 1]];
  if (!from || !to) return null;
  const first = at === 0 ? 0 : nearestOf(path, from.position, 0);
  const last = to.kind === 'end' ? path.length - 1 : nearestOf(path, to.position, first);
  let meters = 0;
  for (let index = first + 1; index <= last; index++) {
    const [a, b] = [path[index - 1], path[index]];
    if (a && b && !breaks.includes(index)) meters += metersBetween(a, b);
  }
  return { to, meters, seconds: secondsBetween(from.departure, to.arrival) };
}

/** Returns the index of the position of a path, after a number of them, that is nearest to a position. */
function nearestOf(path: readonly LonLat[], position: LonLat, after: number): number {
  const distances = path.map((each, index) => (index < after ? Infinity : metersBetween(each, position)));
  return distances.indexOf(Math.min(...distances));
}

function secondsBetween(from: string | null, until: string | null): number | null {
  return from && until ? Math.max(0, (Date.parse(until) - Date.parse(from)) / 1000) : null;
}

function isNear({ position: a }: TripStop, { position: b }: TripStop): boolean {
  return metersBetween(a, b) <= SAME_PLACE_METERS;
}

function metersBetween([lonA, latA]: LonLat, [lonB, latB]: LonLat): number {
  const east = (lonB - lonA) * Math.cos((latA * Math.PI) / 180);
  return Math.hypot(east, latB - latA) * METERS_A_DEGREE;
}
