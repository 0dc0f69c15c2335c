import { pickTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';

const DAY_MS = 86_400_000;

/** The instant from which on positions are kept, in milliseconds since 1970; -Infinity without a limit. */
export function retainedSince(days: number | null, now: number = Date.now()): number {
  return days === null ? -Infinity : now - days * DAY_MS;
}

/** The positions from an instant on. */
export function pointsSince(points: TripPoints, since: number): TripPoints {
  if (points.time.every((time) => time >= since)) return points;
  const retained = [...points.time.keys()].filter((at) => (points.time[at] ?? 0) >= since);
  return pickTripPoints(points, retained);
}
