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
  const pick = (column: Float64Array) => Float64Array.from(kept, (i) => column[i] ?? 0);
  return {
    length: kept.length,
    lat: pick(track.lat),
    lon: pick(track.lon),
    toleranceMeters,
    vanishing: pick(all),
  };
}

const HEADER_BYTES = 4;
const POSITION_BYTES = 12;
const UNITS_PER_DEGREE = 1e7;

/** Packs an outline: its tolerance, then latitudes, longitudes (1e-7 degrees) and vanishing tolerances, 4 bytes each. */
export function packOutline({ length, lat, lon, vanishing, toleranceMeters }: Outline): Buffer {
  const packed = Buffer.alloc(HEADER_BYTES + POSITION_BYTES * length);
  packed.writeFloatLE(toleranceMeters);
  for (let i = 0; i < length; i++) {
    const at = HEADER_BYTES + 4 * i;
    packed.writeInt32LE(Math.round((lat[i] ?? 0) * UNITS_PER_DEGREE), at);
    packed.writeInt32LE(Math.round((lon[i] ?? 0) * UNITS_PER_DEGREE), at + 4 * length);
    packed.writeFloatLE(vanishing[i] ?? 0, at + 8 * length);
  }
  return packed;
}

/** Unpacks what {@link packOutline} packed. */
export function unpackOutline(packed: Uint8Array): Outline {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const length = (packed.byteLength - HEADER_BYTES) / POSITION_BYTES;
  const column = (number: number, read: (at: number) => number): Float64Array =>
    Float64Array.from({ length }, (_, i) => read(HEADER_BYTES + 4 * (number * length + i)));
  return {
    length,
    toleranceMeters: view.getFloat32(0, true),
    lat: column(0, (at) => view.getInt32(at, true) / UNITS_PER_DEGREE),
    lon: column(1, (at) => view.getInt32(at, true) / UNITS_PER_DEGREE),
    vanishing: column(2, (at) => view.getFloat32(at, true)),
  };
}
