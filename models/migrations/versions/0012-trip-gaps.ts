import type { mongo } from 'mongoose';

import { joinTripPoints, type TripPoints } from '../../trips/trip-points.ts';
import { bytesOf } from '../../trips/trip-points-bytes.ts';
import { unpackTripPoints } from '../../trips/trip-points-codec.ts';
import { VarintWriter } from '../../trips/trip-points-varint.ts';
import { BATCH, encodedPath, UNITS_PER_DEGREE, UNITS_PER_METER } from './0005-trip-paths.ts';
import { changeEach, type OldDocument } from './change-each.ts';
import type { Migration } from './migration.ts';

/** The finest tolerance of an outline in meters. */
const FINEST_METERS = 1;
/** Maximum number of positions of an outline, and of its gaps; the longest are kept. */
const MAX_POSITIONS = 200_000;
const MAX_GAPS = 1000;

const withoutGaps = (path: string): mongo.Filter<mongo.BSON.Document> => ({
  [`${path}.points`]: { $exists: true },
  [`${path}.gaps.0`]: { $exists: false },
});

/**
 * Marks gaps in the recording in the lines of trips, and keeps both ends of each. Until then such a trip is drawn
 * of all its positions. The paths of a trip with missing positions are removed.
 */
export const tripGaps: Migration = {
  number: 12,
  name: 'trip-gaps',
  description: 'Marks gaps in the recording in the lines of trips',
  ...changeEach({
    collection: 'trips',
    pending: { 'gaps.0': { $exists: true }, $or: [withoutGaps('paths.meter_1'), withoutGaps('paths.meters_5')] },
    reads: ['key', 'vehicle_key', 'pack', 'point_count', 'gaps'],
    batch: BATCH,
    update: async (trip, db) => {
      const points = await pointsOf(trip, db);
      const ends = gapEnds(points, trip.gaps);
      const isWhole = points.length === trip.point_count && ends.length > 0;
      return { $set: isWhole ? linesOf(points, ends, trip.pack ?? null) : { paths: null } };
    },
  }),
};

async function pointsOf({ key, vehicle_key, pack = null }: OldDocument, db: mongo.Db): Promise<TripPoints> {
  const filter = { vehicle_key, trip_key: key, pack };
  const buckets = await db.collection('trip_points').find(filter).sort({ number: 1 }).toArray();
  return joinTripPoints(buckets.map(({ packed }) => unpackTripPoints(bytesOf(packed))));
}

/** Finds the numbers of the positions that follow a gap; if there are too many gaps, only the longest. */
function gapEnds({ time }: TripPoints, gaps: readonly { started: Date; ended: Date }[]): number[] {
  const known = new Set(gaps.map(({ started, ended }) => `${started.getTime()} ${ended.getTime()}`));
  const ends = [...time.keys()].filter((at) => known.has(`${time[at - 1]} ${time[at]}`));
  if (ends.length <= MAX_GAPS) return ends;
  const lengthOf = (end: number): number => (time[end] ?? 0) - (time[end - 1] ?? 0);
  const told = ends.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, MAX_GAPS);
  return told.sort((a, b) => a - b);
}

/** A position of an outline. */
interface OutlinePosition {
  readonly lat: number;
  readonly lon: number;
  /** Tolerance in meters from which on it is omitted; Infinity for the ends of parts. */
  readonly vanishing: number;
  /** True if it follows a gap. */
  readonly endsGap: boolean;
}

function linesOf(points: TripPoints, ends: readonly number[], pack: number | null) {
  const vanishing = vanishingTolerances(points, ends);
  let toleranceMeters = FINEST_METERS;
  const numbersOf = () => [...vanishing.keys()].filter((at) => (vanishing[at] ?? 0) > toleranceMeters);
  let numbers = numbersOf();
  while (numbers.length > MAX_POSITIONS) {
    toleranceMeters *= 2;
    numbers = numbersOf();
  }
  const inUnits = (degrees = 0): number => Math.round(degrees * UNITS_PER_DEGREE) / UNITS_PER_DEGREE + 0;
  const following = new Set(ends);
  const outline: OutlinePosition[] = numbers.map((at) => ({
    lat: inUnits(points.lat[at]),
    lon: inUnits(points.lon[at]),
    vanishing: Math.ceil((vanishing[at] ?? 0) * UNITS_PER_METER) / UNITS_PER_METER,
    endsGap: following.has(at),
  }));
  const path = (meters: number) => (meters < toleranceMeters ? null : pathWithGaps(outline, meters));
  const paths = { pack, outline_length: outline.length, meter_1: path(1), meters_5: path(5) };
  return { outline: packed(outline, toleranceMeters), paths };
}

function pathWithGaps(outline: readonly OutlinePosition[], meters: number) {
  const retained = outline.filter(({ vanishing }) => vanishing > meters);
  return { ...encodedPath(retained), gaps: numbersOfGaps(retained) };
}

function numbersOfGaps(positions: readonly OutlinePosition[]): number[] {
  return [...positions.keys()].filter((at) => positions[at]?.endsGap);
}

function packed(outline: readonly OutlinePosition[], toleranceMeters: number): Buffer {
  const writer = new VarintWriter();
  writer.natural(outline.length);
  writer.natural(toleranceMeters);
  for (const axis of ['lat', 'lon'] as const) {
    writer.differences(
      Float64Array.from(outline, (position) => position[axis]),
      UNITS_PER_DEGREE,
    );
  }
  for (const { vanishing } of outline) {
    writer.natural(vanishing === Infinity ? 0 : Math.round(vanishing * UNITS_PER_METER));
  }
  let last = 0;
  for (const end of numbersOfGaps(outline)) {
    writer.natural(end - last);
    last = end;
  }
  return Buffer.from(writer.bytes());
}

/** Douglas-Peucker for all tolerances above the finest at once, each part between gaps separately. */
function vanishingTolerances(points: TripPoints, ends: readonly number[]): Float64Array {
  const vanishing = new Float64Array(points.length);
  const open: [from: number, until: number][] = [];
  for (const [i, from] of [0, ...ends].entries()) {
    const last = (ends[i] ?? points.length) - 1;
    vanishing[from] = Infinity;
    vanishing[last] = Infinity;
    open.push([from, last]);
  }
  for (let part = open.pop(); part; part = open.pop()) {
    const [from, until] = part;
    if (until - from < 2) continue;
    const { at, meters } = farthestFromChord(points, from, until);
    if (meters <= FINEST_METERS) continue;
    vanishing[at] = Math.min(meters, vanishing[from] ?? 0, vanishing[until] ?? 0);
    open.push([from, at], [at, until]);
  }
  return vanishing;
}

const RADIANS = Math.PI / 180;
const METERS_PER_DEGREE = RADIANS * 6_371_008.8;

function farthestFromChord({ lat, lon }: TripPoints, from: number, until: number): { at: number; meters: number } {
  const [latFrom = 0, lonFrom = 0, latUntil = 0, lonUntil = 0] = [lat[from], lon[from], lat[until], lon[until]];
  const eastward = METERS_PER_DEGREE * Math.cos(((latFrom + latUntil) / 2) * RADIANS);
  const [chordX, chordY] = [shortWay(lonUntil - lonFrom) * eastward, (latUntil - latFrom) * METERS_PER_DEGREE];
  const chordSquared = chordX * chordX + chordY * chordY;
  let farthest = { at: from + 1, squared: -1 };
  for (let at = from + 1; at < until; at++) {
    const x = shortWay((lon[at] ?? 0) - lonFrom) * eastward;
    const y = ((lat[at] ?? 0) - latFrom) * METERS_PER_DEGREE;
    const along = chordSquared === 0 ? 0 : Math.max(0, Math.min(1, (x * chordX + y * chordY) / chordSquared));
    const squared = (x - along * chordX) ** 2 + (y - along * chordY) ** 2;
    if (squared > farthest.squared) farthest = { at, squared };
  }
  return { at: farthest.at, meters: Math.sqrt(farthest.squared) };
}

function shortWay(degrees: number): number {
  if (degrees > 180) return degrees - 360;
  return degrees < -180 ? degrees + 360 : degrees;
}
