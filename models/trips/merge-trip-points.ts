import { joinTripPoints, pickTripPoints, type TripPoints } from './trip-points.ts';

/**
 * The positions of all parts in the order of their times, each time once: the first part that has it says where the
 * vehicle was, and all of them what happened there.
 */
export function mergeTripPoints(parts: readonly TripPoints[]): TripPoints {
  const all = joinTripPoints(parts);
  if (isInOrder(all.time)) return all;
  const order = Array.from({ length: all.length }, (_, at) => at);
  order.sort((a, b) => (all.time[a] ?? 0) - (all.time[b] ?? 0) || a - b);
  const kept: number[] = [];
  const events = new Map<number, readonly string[]>();
  for (const at of order) {
    const isRepeated = kept.length > 0 && all.time[kept.at(-1) ?? -1] === all.time[at];
    if (!isRepeated) kept.push(at);
    const there = all.events.get(at);
    if (there) events.set(kept.length - 1, [...new Set([...(events.get(kept.length - 1) ?? []), ...there])]);
  }
  return { ...pickTripPoints(all, kept), events };
}

/** The positions in `[from, until)`, of positions in the order of their times. */
export function pointsBetween(points: TripPoints, from: number, until: number): TripPoints {
  const inside: number[] = [];
  for (const [at, time] of points.time.entries()) if (time >= from && time < until) inside.push(at);
  return inside.length === points.length ? points : pickTripPoints(points, inside);
}

function isInOrder(time: Float64Array): boolean {
  for (let at = 1; at < time.length; at++) if (!((time[at - 1] ?? 0) < (time[at] ?? 0))) return false;
  return true;
}
