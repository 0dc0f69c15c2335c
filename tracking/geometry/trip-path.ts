import { valuesAt } from '../../models/trips/trip-points.ts';
import { encodeRange, POLYLINE_PRECISION } from '../../schema/trips/polyline.ts';
import type { TripPath } from '../../schema/trips/trip-path.ts';

import { rangesOf, type Steps } from '../scheduling/steps.ts';
import { boundingBox } from './bounding-box.ts';
import { type Interruptions, interruptionsAmong, UNINTERRUPTED } from './interruptions.ts';
import { retainedPositions } from './simplification.ts';
import type { Track } from './track.ts';

/** Requested detail of a path. */
export interface PathDetail {
  /** The drawn line stays within this of the recorded one; 0 keeps every position. */
  readonly toleranceMeters: number;
  /** Maximum number of positions, at least 2; the most significant are kept. */
  readonly maxPoints: number;
}

/**
 * Simplifies a track and encodes it. `vanishingFrom` returns the track's vanishing tolerances, distinguished from the given one
 * up, and is called only if needed.
 */
export function* tripPath(
  track: Track,
  interruptions: Interruptions,
  detail: PathDetail,
  vanishingFrom: (finest: number) => Steps<Float64Array>,
): Steps<TripPath> {
  const isWhole = detail.toleranceMeters === 0 && track.length <= detail.maxPoints;
  if (isWhole) return yield* encodedPath(track, interruptions);
  const retained = retainedBy(detail, yield* vanishingFrom(detail.toleranceMeters));
  yield;
  return yield* encodedPath(pickTrack(track, retained), interruptionsAmong(retained, interruptions));
}

/** The positions of a track with the given numbers, in that order. */
export function pickTrack({ lat, lon }: Track, numbers: readonly number[]): Track {
  return { length: numbers.length, lat: valuesAt(lat, numbers), lon: valuesAt(lon, numbers) };
}

/** All positions of a track as an encoded polyline. */
export function* encodedTrack({ length, lat, lon }: Track): Steps<string> {
  let encoded = '';
  for (const [from, until] of rangesOf(length)) {
    encoded += encodeRange(lat, lon, from, until);
    yield;
  }
  return encoded;
}

/** Numbers of the positions that a path retains, in order. */
export function retainedBy({ toleranceMeters, maxPoints }: PathDetail, vanishing: Float64Array): number[] {
  return retainedPositions(vanishing, toleranceMeters === 0 ? -1 : toleranceMeters, maxPoints);
}

/** All positions of a track, as a path. */
export function* encodedPath(track: Track, { breaks, gaps } = UNINTERRUPTED): Steps<TripPath> {
  return {
    precision: POLYLINE_PRECISION,
    points: yield* encodedTrack(track),
    point_count: track.length,
    bbox: boundingBox(track),
    breaks: [...breaks],
    gaps: [...gaps],
  };
}
