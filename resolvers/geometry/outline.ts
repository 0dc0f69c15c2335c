import { valuesAt } from '../../models/trip-points.ts';
import { VarintReader, VarintWriter } from '../../models/trip-points-varint.ts';

import type { Track } from './track.ts';
import { keptPositions, vanishingTolerances } from './simplification.ts';

/** The finest tolerance in metres that an outline serves; anything finer is worked out from all positions. */
const FINEST_METERS = 1;

/** More positions than this are not kept, so that no document outgrows its limit of 16 MB. */
const MOST_POSITIONS = 200_000;

/** A path simplified once, with what is needed to simplify it further. */
export interface Outline extends Track {
  /** The tolerance in metres with which it was simplified. */
  readonly toleranceMeters: number;
  /** For each position the tolerance from which on it is left out. */
  readonly vanishing: Float64Array;
}

/** Simplifies a track once and for all tolerances from a metre up. */
export function outlineOf(track: Track): Outline {
  const all = vanishingTolerances(track, FINEST_METERS);
  let toleranceMeters = FINEST_METERS;
  let kept = keptPositions(all, toleranceMeters);
  while (kept.length > MOST_POSITIONS) {
    toleranceMeters *= 2;
    kept = keptPositions(all, toleranceMeters);
  }
  const [lat, lon] = [valuesAt(track.lat, kept), valuesAt(track.lon, kept)];
  return { length: kept.length, lat, lon, toleranceMeters, vanishing: valuesAt(all, kept) };
}

/** Units of the packed columns; 1e-6 degrees is a tenth of what an encoded polyline keeps. */
const UNITS_PER_DEGREE = 1e6;
const UNITS_PER_METER = 100;

/**
 * Packs an outline: its length and tolerance, then latitudes and longitudes as differences, then vanishing tolerances in
 * centimetres, rounded up so that no position is left out too early; 0 stands for never.
 */
export function packOutline({ length, lat, lon, vanishing, toleranceMeters }: Outline): Buffer {
  const writer = new VarintWriter();
  writer.natural(length);
  writer.natural(toleranceMeters);
  for (const column of [lat, lon]) writer.differences(column, UNITS_PER_DEGREE);
  for (const meters of vanishing) writer.natural(meters === Infinity ? 0 : Math.ceil(meters * UNITS_PER_METER));
  return Buffer.from(writer.bytes());
}

/** Unpacks what {@link packOutline} packed. */
export function unpackOutline(packed: Uint8Array): Outline {
  const reader = new VarintReader(packed);
  const length = reader.natural();
  const toleranceMeters = reader.natural();
  const [lat, lon, vanishing] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)];
  for (const column of [lat, lon]) reader.differences(column, UNITS_PER_DEGREE);
  for (let i = 0; i < length; i++) vanishing[i] = reader.natural() / UNITS_PER_METER || Infinity;
  return { length, lat, lon, toleranceMeters, vanishing };
}
