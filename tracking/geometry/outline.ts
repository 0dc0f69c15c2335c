import { valuesAt } from '../../models/trips/trip-points.ts';
import { VarintReader, VarintWriter } from '../../models/trips/trip-points-varint.ts';
import type { TripPath } from '../../schema/trips/trip-path.ts';

import { finish, type Steps } from '../scheduling/steps.ts';
import { type Interruptions, interruptionsAmong, startsOfParts, UNINTERRUPTED } from './interruptions.ts';
import { END_OF_PART, isEndOfPart, retainedPositions, vanishingSteps } from './simplification.ts';
import type { Track } from './track.ts';
import { encodedPath, type PathDetail, pickTrack, retainedBy } from './trip-path.ts';

/** The finest tolerance in meters that an outline serves; anything finer is computed from all positions. */
export const FINEST_METERS = 1;

/** More positions than this are not retained, so that no document outgrows its limit of 16 MB. */
const MAX_POSITIONS = 200_000;

/** A path simplified once, with what is needed to simplify it further. */
export interface Outline extends Track, Interruptions {
  readonly toleranceMeters: number;
  /** For each position, the tolerance from which it is omitted. */
  readonly vanishing: Float64Array;
}

/**
 * Simplifies a track for all tolerances from a meter up, each part between its interruptions by itself. The result is rounded
 * to what {@link packOutline} stores, tolerances upwards so that no position is omitted too early: a computed outline
 * equals a stored one.
 */
export function* outlineSteps(track: Track, interruptions = UNINTERRUPTED): Steps<Outline> {
  const all = yield* vanishingSteps(track, FINEST_METERS, startsOfParts(interruptions));
  let toleranceMeters = FINEST_METERS;
  let retained = retainedPositions(all, toleranceMeters);
  while (retained.length > MAX_POSITIONS && interruptions.breaks.length === 0) {
    toleranceMeters *= 2;
    retained = retainedPositions(all, toleranceMeters);
  }
  const inUnits = (degrees: number) => Math.round(degrees * OUTLINE_UNITS_PER_DEGREE) / OUTLINE_UNITS_PER_DEGREE + 0;
  return {
    length: retained.length,
    lat: valuesAt(track.lat, retained).map(inUnits),
    lon: valuesAt(track.lon, retained).map(inUnits),
    toleranceMeters,
    vanishing: valuesAt(all, retained).map((meters) =>
      isEndOfPart(meters) ? meters : Math.ceil(meters * UNITS_PER_METER) / UNITS_PER_METER,
    ),
    ...interruptionsAmong(retained, interruptions),
  };
}

/** Does {@link outlineSteps} in one go. */
export function outlineOf(track: Track, interruptions = UNINTERRUPTED): Outline {
  return finish(outlineSteps(track, interruptions));
}

/** The path of an outline in a detail that it supports. */
export function* outlinePath(outline: Outline, detail: PathDetail): Steps<TripPath> {
  const retained = retainedBy(detail, outline.vanishing);
  return yield* encodedPath(pickTrack(outline, retained), interruptionsAmong(retained, outline));
}

/** Units of the packed columns; 1e-6 degrees is a tenth of what an encoded polyline keeps. */
export const OUTLINE_UNITS_PER_DEGREE = 1e6;
const UNITS_PER_METER = 100;

/**
 * Packs the outline of a trip without breaks: length and tolerance, latitudes and longitudes as differences, then
 * vanishing tolerances in centimeters, of which 0 stands for never, and the gaps, each as the difference to the one before.
 */
export function packOutline({ length, lat, lon, vanishing, toleranceMeters, gaps }: Outline): Buffer {
  const writer = new VarintWriter();
  writer.natural(length);
  writer.natural(toleranceMeters);
  for (const column of [lat, lon]) writer.differences(column, OUTLINE_UNITS_PER_DEGREE);
  for (const meters of vanishing) writer.natural(isEndOfPart(meters) ? 0 : Math.round(meters * UNITS_PER_METER));
  for (const [i, end] of gaps.entries()) writer.natural(end - (gaps[i - 1] ?? 0));
  return Buffer.from(writer.bytes());
}

/** Unpacks what {@link packOutline} packed; programs before gaps were introduced have packed none. */
export function unpackOutline(packed: Uint8Array): Outline {
  const reader = new VarintReader(packed);
  const length = reader.natural();
  const toleranceMeters = reader.natural();
  const [lat, lon, vanishing] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)];
  for (const column of [lat, lon]) reader.differences(column, OUTLINE_UNITS_PER_DEGREE);
  for (let i = 0; i < length; i++) {
    const isEndOfWhole = i === 0 || i === length - 1;
    vanishing[i] = reader.natural() / UNITS_PER_METER || (isEndOfWhole ? Infinity : END_OF_PART);
  }
  const gaps: number[] = [];
  while (!reader.isAtEnd) gaps.push((gaps.at(-1) ?? 0) + reader.natural());
  return { length, lat, lon, toleranceMeters, vanishing, breaks: [], gaps };
}
