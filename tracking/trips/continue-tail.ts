import type { TripPoints } from '../../models/trips/trip-points.ts';
import type { TailFacts } from '../../models/vehicles/device-tail.ts';
import type { TripLimits } from '../../models/trips/trip-limits.ts';
import { hasStoodBetween, isJump, metersTo, placeAt, type TimedPlace } from '../geometry/motion.ts';
import { readingAt } from '../geometry/readings.ts';

import { mayCut } from './cut-recording.ts';

/**
 * The end of a recording after positions that all come after the last one, if `cutRecording` would find that they only
 * continue its trip or its stay, whatever was before; else null. `known` are the positions in the tail.
 */
export function continueTail(
  tail: TailFacts,
  later: TripPoints,
  known: () => TripPoints,
  limits: TripLimits,
): TailFacts | null {
  const { driving, point } = tail;
  if (driving === null || !tail.anchor || !point || mayCut(later)) return null;
  let anchor: TimedPlace = { lat: tail.anchor.lat, lon: tail.anchor.lon, time: tail.anchor.at.getTime() };
  let last: TimedPlace = { ...point, time: tail.last.getTime() };
  for (let at = 0; at < later.length; at++) {
    const next = placeAt(later, at);
    const ignition = readingAt(later, 'ignition', at);
    if (ignition !== null && (ignition === 1) !== tail.ignition) return null;
    if (next.time <= last.time || isJump(last, next, limits.maximum_speed)) return null;
    if (!driving) {
      if (metersTo(anchor, next) > limits.movement / 2) return null;
    } else if (next.time - last.time >= limits.gap) {
      return null;
    } else if (tail.engine_started) {
      anchor = next;
    } else {
      const isLastAway = metersTo(last, next) > limits.movement;
      const isLastFar = metersTo(last, next) > farFrom(limits);
      anchor = isLastFar ? last : laterAnchor(anchor, next, limits, () => [known(), later], last.time);
      const isAway = metersTo(anchor, next) > limits.movement && next.time - anchor.time < limits.stop;
      if (!isLastFar && !isAway) return null;
      if (isLastAway && hasStoodBetween(last, next, limits.stop)) return null;
    }
    last = next;
  }
  return {
    ...tail,
    last: new Date(last.time),
    point: { lat: last.lat, lon: last.lon },
    anchor: { lat: anchor.lat, lon: anchor.lon, at: new Date(anchor.time) },
  };
}

/** Returns true if positions that arrive late, between positions of the tail, change no trip and no stay. */
export function isAmongTail(tail: TailFacts, known: TripPoints, late: TimedPlace, limits: TripLimits): boolean {
  const after = known.time.findIndex((time) => time > late.time);
  if (after <= 0 || tail.driving === null || !tail.anchor) return false;
  if (
    isJump(placeAt(known, after - 1), late, limits.maximum_speed) ||
    isJump(late, placeAt(known, after), limits.maximum_speed)
  )
    return false;
  if (tail.engine_started) return true;
  const beside = [
    placeAt(known, after - 1),
    late,
    placeAt(known, after),
    placeAt(known, Math.min(after + 1, known.length - 1)),
  ];
  if (beside.some((place, at) => at > 0 && hasStoodBetween(beside[at - 1] ?? place, place, limits.stop))) return false;
  if (!tail.driving) return metersTo(tail.anchor, late) <= limits.movement / 2;
  const next = known.time.findIndex((_time, at) => at >= after && metersTo(placeAt(known, at), late) > limits.movement);
  const goneBy = known.time[next === -1 ? known.length - 1 : next] ?? Infinity;
  if (goneBy - late.time >= limits.stop) return false;
  for (let at = after - 1; at >= 0; at--) {
    const earlier = placeAt(known, at);
    if (late.time - earlier.time >= limits.stop) return false;
    if (metersTo(earlier, late) > farFrom(limits)) return true;
  }
  return false;
}

/** Distance from which a position is away, whether it, the other one, or both strayed, in meters. */
function farFrom({ movement, minimum_meters }: TripLimits): number {
  return 2 * minimum_meters + movement;
}

/** An anchor that is not old, if positions of the tail or of the request are one for the next position; else the same. */
function laterAnchor(
  anchor: TimedPlace,
  next: TimedPlace,
  limits: TripLimits,
  parts: () => readonly TripPoints[],
  last: number,
): TimedPlace {
  if (metersTo(anchor, next) > limits.movement && next.time - anchor.time < limits.stop / 2) return anchor;
  let found = anchor;
  for (const points of parts()) {
    for (let at = 0; at < points.length && (points.time[at] ?? Infinity) <= last; at++) {
      const place = placeAt(points, at);
      if (place.time > found.time && metersTo(place, next) > farFrom(limits)) found = place;
    }
  }
  return found;
}
