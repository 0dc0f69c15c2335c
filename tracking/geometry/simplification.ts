import { valuesAt } from '../../models/trips/trip-points.ts';

import { finish, POSITIONS_A_STEP, type Steps } from '../scheduling/steps.ts';
import { EARTH_RADIUS_METERS, RADIANS, shortWay } from './haversine.ts';
import type { Track } from './track.ts';

/** Ends of parts outweigh everything except the ends of the whole. */
export const END_OF_PART = Number.MAX_VALUE;

/** Number of positions per step whose distance from a chord is computed, which takes a tenth of the time of encoding them. */
const LOOKS_A_STEP = 10 * POSITIONS_A_STEP;

/**
 * Computes Douglas-Peucker for all tolerances at once: for each position the tolerance in meters from which on it is
 * omitted, Infinity for both ends. Simplifying with a tolerance retains the positions with greater ones.
 *
 * @param finest tolerances below this are not distinguished: such positions get 0. It saves most of the work.
 * @param starts first positions of parts, but for the first; each part is simplified separately, and its ends stay
 *   whatever the tolerance
 * @see https://en.wikipedia.org/wiki/Ramer–Douglas–Peucker_algorithm
 */
export function* vanishingSteps(track: Track, finest = 0, starts: readonly number[] = []): Steps<Float64Array> {
  const vanishing = new Float64Array(track.length);
  if (track.length === 0) return vanishing;
  const open: number[] = [];
  for (const [i, from] of [0, ...starts].entries()) {
    const last = (starts[i] ?? track.length) - 1;
    vanishing[from] = END_OF_PART;
    vanishing[last] = END_OF_PART;
    open.push(from, last);
  }
  vanishing[0] = Infinity;
  vanishing[track.length - 1] = Infinity;
  let looked = 0;
  while (open.length > 0) {
    const until = open.pop() ?? 0;
    const from = open.pop() ?? 0;
    if (until - from < 2) continue;
    looked += until - from;
    if (looked > LOOKS_A_STEP) {
      looked = 0;
      yield;
    }
    const { at, meters } = farthestFromChord(track, from, until);
    if (meters <= finest) continue;
    vanishing[at] = Math.min(meters, vanishing[from] ?? 0, vanishing[until] ?? 0);
    open.push(from, at, at, until);
  }
  return vanishing;
}

/** Does {@link vanishingSteps} in one go. */
export function vanishingTolerances(track: Track, finest = 0, starts: readonly number[] = []): Float64Array {
  return finish(vanishingSteps(track, finest, starts));
}

/** Returns true if a vanishing tolerance is that of an end of a part, which stays whatever the tolerance. */
export function isEndOfPart(vanishing: number): boolean {
  return vanishing >= END_OF_PART;
}

/** Retained positions, by their {@link vanishingTolerances}: both ends, and at most `maxPoints` in all, the most significant. */
export function retainedPositions(vanishing: Float64Array, toleranceMeters: number, maxPoints = Infinity): number[] {
  const retained: number[] = [];
  for (let i = 0; i < vanishing.length; i++) {
    const from = vanishing[i] ?? 0;
    if (from > toleranceMeters || isEndOfPart(from)) retained.push(i);
  }
  if (retained.length <= maxPoints) return retained;
  return weightiest(retained, vanishing, maxPoints);
}

/** The positions with the greatest tolerances, in their order; of equal ones the first. Numbers are sorted without a callback. */
function weightiest(positions: readonly number[], vanishing: Float64Array, count: number): number[] {
  const ascending = valuesAt(vanishing, positions).sort();
  const least = ascending[ascending.length - count] ?? 0;
  let equal = 0;
  for (let place = ascending.length - count; ascending[place] === least; place++) equal++;
  return positions.filter((at) => {
    const meters = vanishing[at] ?? 0;
    return meters > least || (meters === least && equal-- > 0);
  });
}

/** The position between two others that is farthest from the straight line between these, and its distance in meters. */
function farthestFromChord({ lat, lon }: Track, from: number, until: number): { at: number; meters: number } {
  const latFrom = lat[from] ?? 0;
  const lonFrom = lon[from] ?? 0;
  const northward = RADIANS * EARTH_RADIUS_METERS;
  const eastward = northward * Math.cos(((latFrom + (lat[until] ?? 0)) / 2) * RADIANS);
  const chordX = shortWay((lon[until] ?? 0) - lonFrom) * eastward;
  const chordY = ((lat[until] ?? 0) - latFrom) * northward;
  const chordSquared = chordX * chordX + chordY * chordY;
  let at = from + 1;
  let max = -1;
  for (let i = from + 1; i < until; i++) {
    const x = shortWay((lon[i] ?? 0) - lonFrom) * eastward;
    const y = ((lat[i] ?? 0) - latFrom) * northward;
    const along = chordSquared === 0 ? 0 : (x * chordX + y * chordY) / chordSquared;
    const clamped = Math.max(0, Math.min(1, along));
    const dx = x - clamped * chordX;
    const dy = y - clamped * chordY;
    const squared = dx * dx + dy * dy;
    if (squared > max) {
      max = squared;
      at = i;
    }
  }
  return { at, meters: Math.sqrt(max) };
}
