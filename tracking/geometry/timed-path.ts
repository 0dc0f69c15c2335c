import type { TripPoints } from '../../models/trips/trip-points.ts';
import { encodeNumbers } from '../../schema/trips/polyline.ts';
import type { TimedTripPath } from '../../schema/trips/timed-trip-path.ts';

import { POSITIONS_A_STEP, rangesOf, type Steps } from '../scheduling/steps.ts';
import { gapEnds } from './gaps.ts';
import { distanceSteps } from './haversine.ts';
import { type Interruptions, interruptionsAmong } from './interruptions.ts';
import { JUMP_METERS_PER_SECOND, milesPerHour } from './speeds.ts';
import { encodedPath, pickTrack } from './trip-path.ts';

/** Encodes the retained positions of a trip with their times and the speeds between them; see {@link tripPath}. */
export function* timedTripPath(
  points: TripPoints,
  interruptions: Interruptions,
  retained: readonly number[],
): Steps<TimedTripPath> {
  const path = yield* encodedPath(pickTrack(points, retained), interruptionsAmong(retained, interruptions));
  const speeds = yield* stretchSpeeds(points, retained);
  for (const hidden of path.breaks) speeds[hidden - 1] = Number.NaN;
  return {
    ...path,
    times: yield* encoded(retained.length, (at) => Math.floor((points.time[retained[at] ?? 0] ?? 0) / 1000)),
    speeds: yield* encoded(speeds.length, (at) => tenthsOfMilesPerHour(speeds[at] ?? Number.NaN)),
  };
}

function tenthsOfMilesPerHour(metersPerSecond: number): number {
  return Number.isNaN(metersPerSecond) ? -1 : Math.round(milesPerHour(metersPerSecond) * 10);
}

function* encoded(length: number, numberAt: (at: number) => number): Steps<string> {
  let text = '';
  for (const [from, until] of rangesOf(length)) {
    const numbers = Array.from({ length: until - from }, (_, at) => numberAt(from + at));
    text += encodeNumbers(numbers, from === 0 ? 0 : numberAt(from - 1));
    yield;
  }
  return text;
}

/**
 * The mean speed in m/s from each retained position to the next: of the recorded speeds on the way, both ends included,
 * else distance by time; NaN if unknown: in gaps and jumps, and if no time passes.
 */
function* stretchSpeeds(points: TripPoints, retained: readonly number[]): Steps<Float64Array> {
  const distances = yield* distanceSteps(points);
  const blind = new Set(gapEnds(points.time));
  yield;
  const speeds = new Float64Array(Math.max(0, retained.length - 1));
  let looked = 0;
  for (let stretch = 0; stretch < speeds.length; stretch++) {
    const [from, until] = [retained[stretch] ?? 0, retained[stretch + 1] ?? 0];
    speeds[stretch] = meanSpeed(points, distances, blind, from, until);
    looked += until - from;
    if (looked < POSITIONS_A_STEP) continue;
    looked = 0;
    yield;
  }
  return speeds;
}

function meanSpeed(
  { time, speed }: TripPoints,
  distances: Float64Array,
  /** Numbers of the positions that end a gap. */
  blind: ReadonlySet<number>,
  from: number,
  until: number,
): number {
  let recorded = 0;
  let count = 0;
  let meters = 0;
  let milliseconds = 0;
  for (let at = from; at < until; at++) {
    if (blind.has(at + 1)) continue;
    meters += distances[at] ?? 0;
    milliseconds += (time[at + 1] ?? 0) - (time[at] ?? 0);
    for (let end = at; end <= at + 1; end++) {
      const there = speed[end] ?? Number.NaN;
      if (Number.isNaN(there)) continue;
      recorded += there;
      count++;
    }
  }
  if (count > 0) return recorded / count;
  const mean = meters / (milliseconds / 1000);
  return milliseconds > 0 && mean <= JUMP_METERS_PER_SECOND ? mean : Number.NaN;
}
