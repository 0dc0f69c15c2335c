import { BATCH_SIZE } from '../../models/store/plain-store.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { type StoredTrip, TripStore } from '../../models/trips/trip.ts';
import { joinTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import {
  loadTripLines,
  loadTripPoints,
  type PackedTrip,
  type PackedTripPoints,
} from '../../models/trips/trip-points-bucket.ts';
import { bytesOf } from '../../models/trips/trip-points-bytes.ts';
import { unpackTripPoints } from '../../models/trips/trip-points-codec.ts';
import { once } from '../../schema/once.ts';

import { forEachInSlices, type TimeSlice } from '../scheduling/time-slice.ts';
import { loadOpenTripPoints } from '../trips/open-trip-points.ts';
import type { GeometryWork, StoredLines } from './trip-geometry.ts';
import type { TripVisibility } from '../visibility/trip-visibility.ts';

/** A stored trip, with data outside its document. */
interface ReadTrip {
  readonly trip: StoredTrip;
  /** Reads its positions as they are now, visible or not: there may be more than when it was read. They are charged before. */
  readonly points: () => Promise<TripPoints>;
  /** Its stored lines; null unless it was visible as a whole. */
  readonly lines: StoredLines | null;
}

/**
 * Reads the stored data of trips of one vehicle, when it is needed, of all of them by one query: positions, lines, outlines.
 * An open trip consists of what its device has sent so far.
 */
export async function readTrips(
  visibility: TripVisibility,
  trips: readonly StoredTrip[],
  { meter, slice }: GeometryWork,
): Promise<ReadTrip[]> {
  const { records } = visibility;
  const open = await loadOpenTripPoints(records, trips);
  const isWhole = (trip: StoredTrip) => !open.has(trip.key) && visibility.seesWhole(trip);
  const isClipped = (trip: StoredTrip) => !open.has(trip.key) && !visibility.seesWhole(trip);
  const ofWhole = storedTracks(records, trips.filter(isWhole));
  const ofClipped = storedTracks(records, trips.filter(isClipped));
  return trips.map((trip) => {
    const { key, point_count } = trip;
    const recorded = open.get(key);
    const isSeenWhole = isWhole(trip);
    const stored = isSeenWhole ? ofWhole : ofClipped;
    const chargeEach = () => meter.charge(recorded?.length ?? point_count);
    const charge = isSeenWhole ? once(chargeEach) : chargeEach;
    const points = async () => {
      await charge();
      return recorded ?? unpackInSlices((await stored.packs()).get(key) ?? [], slice);
    };
    return { trip, points, lines: isSeenWhole ? storedLines(trip, stored, charge) : null };
  });
}

/** The stored tracks of trips, by trip key. */
type StoredTracks = ReturnType<typeof storedTracks>;

function storedTracks(records: AccessScope, trips: readonly StoredTrip[]) {
  return {
    packs: once(() => loadTripPoints(records, trips)),
    lines: once(() => loadTripLines(records, trips)),
    outlines: once(() => loadOutlines(records, trips)),
  };
}

function storedLines(trip: StoredTrip, stored: StoredTracks, charge: () => Promise<void>): StoredLines {
  const { key, paths, pack, point_count, bounding_box, gaps } = trip;
  return {
    paths: paths?.pack === pack ? paths : null,
    // Read only if a path needs gaps.
    hasGaps: gaps?.length > 0,
    outline: async () => (await stored.outlines()).get(key) ?? null,
    line: async () => {
      await charge();
      const points = (await stored.lines()).get(key);
      return points === undefined ? null : { points, point_count, bbox: bounding_box, gaps: [] };
    },
  };
}

/** Unpacks the positions of one trip: other requests run between the buckets of a long one. */
async function unpackInSlices(packed: PackedTripPoints, slice: TimeSlice): Promise<TripPoints> {
  const buckets: TripPoints[] = [];
  await forEachInSlices(slice, packed, (bucket) => buckets.push(unpackTripPoints(bucket)));
  return joinTripPoints(buckets);
}

/**
 * Reads the packed outlines of trips, by trip key; those of trips that have been packed again since they were read are omitted.
 */
async function loadOutlines(
  accessScope: AccessScope,
  trips: readonly PackedTrip[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const packs = new Map(trips.map(({ key, pack }) => [key, pack]));
  const those = { vehicle_key: accessScope.vehicle_key ?? '', key: { $in: [...packs.keys()] } };
  const found = await TripStore.find(accessScope, those, 'key pack outline').batchSize(BATCH_SIZE);
  const asRead = found.filter(({ key, pack }) => packs.get(key) === pack);
  return new Map(asRead.map(({ key, outline }) => [key, bytesOf(outline)]));
}
