import { encodePolyline } from '../../../schema/trips/polyline.ts';

import { bytesOf } from '../../trips/trip-points-bytes.ts';
import { VarintReader } from '../../trips/trip-points-varint.ts';
import { changeEach } from './change-each.ts';
import type { Migration } from './migration.ts';

/** Documents of a batch: the outline of a trip of days takes a megabyte. */
export const BATCH = 50;

/** Units of an outline as it is stored. */
export const UNITS_PER_DEGREE = 1e6;
export const UNITS_PER_METER = 100;

/**
 * Stores the paths of every trip that maps ask for, made of its outline. Paths name the pack from which they were made, so
 * that those of a trip that an older program packs again meanwhile are not used.
 */
export const tripPaths: Migration = {
  number: 5,
  name: 'trip-paths',
  description: 'Stores the lines of every trip in the form that maps request',
  ...changeEach({
    collection: 'trips',
    pending: { paths: { $exists: false } },
    reads: ['outline', 'pack'],
    batch: BATCH,
    update: ({ outline, pack }) => ({ $set: { paths: pathsOf(bytesOf(outline), pack ?? null) } }),
  }),
};

interface Position {
  readonly lat: number;
  readonly lon: number;
}

/** A position of an outline, and the tolerance in meters from which on it is omitted. */
interface OutlinePosition extends Position {
  readonly vanishing: number;
}

function pathsOf(outline: Uint8Array, pack: number | null) {
  const { positions, toleranceMeters } = unpack(outline);
  if (positions.length === 0) return null;
  const pathOf = (meters: number) => (meters < toleranceMeters ? null : simplified(positions, meters));
  return { pack, outline_length: positions.length, meter_1: pathOf(1), meters_5: pathOf(5) };
}

/** Unpacks columns: latitudes and longitudes as differences, then tolerances, of which 0 stands for never. */
function unpack(outline: Uint8Array): { positions: OutlinePosition[]; toleranceMeters: number } {
  const reader = new VarintReader(outline);
  const length = reader.natural();
  const toleranceMeters = reader.natural();
  const [lat, lon] = [new Float64Array(length), new Float64Array(length)];
  for (const column of [lat, lon]) reader.differences(column, UNITS_PER_DEGREE);
  const positions = Array.from(lat, (degrees, at) => ({
    lat: degrees,
    lon: lon[at] ?? Number.NaN,
    vanishing: reader.natural() / UNITS_PER_METER || Infinity,
  }));
  return { positions, toleranceMeters };
}

function simplified(positions: readonly OutlinePosition[], meters: number) {
  return encodedPath(positions.filter(({ vanishing }) => vanishing > meters));
}

/** A path of these positions as it is stored. */
export function encodedPath(positions: readonly Position[]) {
  return { points: encodePolyline(positions), point_count: positions.length, bbox: boxAround(positions) };
}

/** West, south, east, north; west exceeds east across the antimeridian. */
function boxAround(positions: readonly Position[]): number[] {
  let [west, south, east, north] = [180, 90, -180, -90];
  let [westOfPacific, eastOfPacific] = [180, -180];
  for (const { lat, lon } of positions) {
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
    [west, east] = [Math.min(west, lon), Math.max(east, lon)];
    if (lon >= 0) westOfPacific = Math.min(westOfPacific, lon);
    else eastOfPacific = Math.max(eastOfPacific, lon);
  }
  const isShorterAcross = east - west > 180 && eastOfPacific + 360 - westOfPacific < east - west;
  return isShorterAcross ? [westOfPacific, south, eastOfPacific, north] : [west, south, east, north];
}
