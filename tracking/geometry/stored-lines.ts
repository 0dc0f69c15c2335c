import type { StoredPath, StoredPaths } from '../../models/trips/trip.ts';
import { POLYLINE_PRECISION } from '../../schema/trips/polyline.ts';
import type { TripPath } from '../../schema/trips/trip-path.ts';

import { finish } from '../scheduling/steps.ts';
import { type Outline, outlineOf, outlinePath, packOutline } from './outline.ts';
import { interruptionsOf } from './interruptions.ts';
import type { TimedTrack } from './track.ts';
import type { PathDetail } from './trip-path.ts';

/** Fields of the paths that are stored, by their tolerances in meters: those that the component requests. */
const STORED: ReadonlyMap<number, 'meter_1' | 'meters_5'> = new Map([
  [1, 'meter_1'],
  [5, 'meters_5'],
]);

/**
 * Makes the stored lines of a closed trip: its outline, from which any path can be made, and the paths that trip
 * maps request.
 *
 * @param pack the pack of buckets that holds the same positions
 */
export function storedLines(points: TimedTrack, pack: number | null = null) {
  const outline = outlineOf(points, interruptionsOf(points.time));
  const paths: StoredPaths = {
    pack,
    outline_length: outline.length,
    meter_1: storedPathOf(outline, 1),
    meters_5: storedPathOf(outline, 5),
  };
  return { outline: packOutline(outline), paths };
}

function storedPathOf(outline: Outline, toleranceMeters: number): StoredPath | null {
  if (toleranceMeters < outline.toleranceMeters) return null;
  const detail = { toleranceMeters, maxPoints: Infinity };
  const { points, point_count, bbox, gaps } = finish(outlinePath(outline, detail));
  return { points, point_count, bbox, gaps };
}

/** Returns the field in which the path of a tolerance is stored, or null if none is. */
export function storedPathField(toleranceMeters: unknown): 'meter_1' | 'meters_5' | null {
  return STORED.get(Number(toleranceMeters)) ?? null;
}

/** Returns the stored path of a whole trip that equals the one of this detail, or null if none does. */
export function storedPath(paths: StoredPaths | null, { toleranceMeters, maxPoints }: PathDetail): TripPath | null {
  const field = storedPathField(toleranceMeters);
  const stored = field && paths?.[field];
  if (!stored || stored.point_count > maxPoints) return null;
  return pathOf(stored);
}

/** A stored path as it is sent. */
export function pathOf(stored: StoredPath): TripPath {
  return { ...stored, precision: POLYLINE_PRECISION, breaks: [] };
}
