import { valuesAt } from '../../models/trip-points.ts';
import { encodePolyline, POLYLINE_PRECISION, type Position } from '../../schema/polyline.ts';
import type { TripPath } from '../../schema/trip-path.ts';

import { boundingBox } from './bounding-box.ts';
import { keptPositions } from './simplification.ts';
import type { Track } from './track.ts';

/** How much of a path is wanted. */
export interface PathDetail {
  /** The drawn line stays within this of the recorded one; 0 keeps every position. */
  readonly toleranceMeters: number;
  /** At most so many positions, the weightiest; at least 2. */
  readonly maxPoints: number;
}

/**
 * Simplifies a track and encodes it.
 *
 * @param vanishingFrom the track's vanishing tolerances, told apart from the given one on; asked for only where needed
 */
export function tripPath(track: Track, detail: PathDetail, vanishingFrom: (finest: number) => Float64Array): TripPath {
  const isWhole = detail.toleranceMeters === 0 && track.length <= detail.maxPoints;
  return isWhole ? encodedPath(track) : encodedPath(simplified(track, detail, vanishingFrom(detail.toleranceMeters)));
}

/** All positions of a track as an encoded polyline. */
export function encodedTrack(track: Track): string {
  return encodePolyline(positionsOf(track));
}

function simplified(track: Track, { toleranceMeters, maxPoints }: PathDetail, vanishing: Float64Array): Track {
  const kept = keptPositions(vanishing, toleranceMeters === 0 ? -1 : toleranceMeters, maxPoints);
  return { length: kept.length, lat: valuesAt(track.lat, kept), lon: valuesAt(track.lon, kept) };
}

function encodedPath(track: Track): TripPath {
  return {
    precision: POLYLINE_PRECISION,
    points: encodedTrack(track),
    point_count: track.length,
    bbox: boundingBox(track),
  };
}

function* positionsOf({ length, lat, lon }: Track): Generator<Position> {
  for (let i = 0; i < length; i++) yield { lat: lat[i] ?? 0, lon: lon[i] ?? 0 };
}
