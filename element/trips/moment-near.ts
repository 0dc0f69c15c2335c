import type { LonLat, Trip } from './trip.ts';

/** A moment of a trip. */
export interface TripMoment {
  readonly tripKey: string;
  /** IANA name of the zone of time of the trip; null if not known. */
  readonly timeZone: string | null;
  /** Seconds since 1970. */
  readonly time: number;
  /** Meters per second; null if not known. */
  readonly speed: number | null;
}

/** Finds the moment at which a trip came nearest to a position; null if its times are not known. */
export function momentNear({ key, timeZone, path, breaks, motion }: Trip, position: LonLat): TripMoment | null {
  const [first] = path;
  if (!motion || !first) return null;
  const shrink = Math.cos((position[1] * Math.PI) / 180);
  const lon = position[0] + 360 * Math.round((first[0] - position[0]) / 360);
  const hidden = new Set(breaks);
  let nearest = { at: 0, part: 0, distance: Number.POSITIVE_INFINITY };
  for (const [at, from] of path.entries()) {
    const to = hidden.has(at + 1) ? from : (path[at + 1] ?? from);
    const [x, y] = [(to[0] - from[0]) * shrink, to[1] - from[1]];
    const [dx, dy] = [(lon - from[0]) * shrink, position[1] - from[1]];
    const length = x * x + y * y;
    const part = length === 0 ? 0 : Math.max(0, Math.min(1, (dx * x + dy * y) / length));
    const distance = (dx - part * x) ** 2 + (dy - part * y) ** 2;
    if (distance < nearest.distance) nearest = { at, part, distance };
  }
  const { at, part } = nearest;
  const [from = 0, until = from] = [motion.times[at], motion.times[at + 1]];
  return { tripKey: key, timeZone, time: from + part * (until - from), speed: motion.speeds[at] ?? null };
}
