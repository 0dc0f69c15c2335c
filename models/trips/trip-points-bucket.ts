import { joinTripPoints, mergeTripPoints, type TripPoints } from './trip-points.ts';
import { crc32 } from 'node:zlib';

import { encodeRange } from '../../schema/trips/polyline.ts';
import { groupedBy } from '../grouped-by.ts';
import { BATCH_SIZE } from '../store/plain-store.ts';
import type { AccessScope } from '../store/tenancy.ts';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { nullable, required, type StoredField } from '../store/stored-fields.ts';
import { type StoredTrip, TripStore } from './trip.ts';
import { bytesOf } from './trip-points-bytes.ts';
import { packTripPoints, unpackTripPoints } from './trip-points-codec.ts';

/** Positions per bucket: few enough to read little more than needed, many enough to make the overhead of the document small. */
const POINTS_PER_BUCKET = 2000;

/** Buckets: runs of a trip's positions, packed; found by vehicle and trip. */
export const TripPointsBucketStore = storeOf('TripPointsBucket', {
  collection: 'trip_points',
  tenancy: 'vehicle',
  shardKey: { vehicle_key: 1, trip_key: 1, pack: 1, number: 1 },
  hidden: {
    account_key: required(String),
    vehicle_key: required(String),
    trip_key: required(String),
    /** The packing of the trip that it belongs to: only those of the trip's own `pack` are its positions. */
    pack: nullable(Number),
    /** Place of the bucket in its pack, from 0. */
    number: required(Number),
    packed: required(Buffer),
    /** CRC-32 of `packed`; buckets of earlier versions have none. */
    checksum: { type: Number } as StoredField<number | undefined>,
    /**
     * The encoded polyline of its positions, at first as the difference to the bucket before: joined, the line of the whole
     * trip as it is sent. It is here and not in the trip, since it takes half as much as the positions: lists of trips do not
     * read it, and it is as long as the trip. Buckets of earlier versions have none; writing all of them again would take hours
     * if there are many, so their lines are encoded when they are asked for.
     */
    line: nullable(String),
  },
  indexes: [[{ vehicle_key: 1, trip_key: 1, pack: 1, number: 1 }, { unique: true }]],
});

type Bucket = Omit<StoredIn<typeof TripPointsBucketStore>, '_id'>;

/**
 * Packs the positions of a trip into the documents that store them. Documents of a pack that a trip has had are never
 * changed: different positions are a new pack, which the trip then names.
 */
export function bucketsOf(
  trip: { readonly key: string; readonly account_key: string; readonly vehicle_key: string },
  points: TripPoints,
  pack: number | null = null,
): Bucket[] {
  const buckets: Bucket[] = [];
  for (let from = 0; from < points.length; from += POINTS_PER_BUCKET) {
    const until = Math.min(from + POINTS_PER_BUCKET, points.length);
    const packed = packTripPoints(points, from, until);
    buckets.push({
      account_key: trip.account_key,
      vehicle_key: trip.vehicle_key,
      trip_key: trip.key,
      pack,
      number: buckets.length,
      packed,
      checksum: crc32(packed),
      line: encodeRange(points.lat, points.lon, from, until),
    });
  }
  return buckets;
}

/** The positions of a trip as stored; unpack them one trip at a time, since they grow fivefold. */
export type PackedTripPoints = readonly Uint8Array[];

/** A trip as it was read, and the pack that it named then. */
export type PackedTrip = Pick<StoredTrip, 'key' | 'pack'>;

/** Maximum number of times that a trip is read again because its pack was removed. */
const MAX_ATTEMPTS = 5;

/**
 * Reads the packed positions of trips of one vehicle, by trip key, in one query. Trips whose packs were replaced and
 * removed since they were read are read again; those without positions are omitted.
 */
export async function loadTripPoints(accessScope: AccessScope, trips: readonly PackedTrip[]) {
  const found = new Map<string, PackedTripPoints>();
  let missing = trips;
  for (let attempt = 0; missing.length > 0 && attempt < MAX_ATTEMPTS; attempt++) {
    for (const [key, own] of await readBuckets(accessScope, missing, 'packed')) {
      found.set(
        key,
        own.map(({ packed }) => bytesOf(packed)),
      );
    }
    const asRead = new Map(missing.filter(({ key }) => !found.has(key)).map(({ key, pack }) => [key, pack]));
    if (asRead.size === 0) break;
    const those = { vehicle_key: accessScope.vehicle_key ?? '', key: { $in: [...asRead.keys()] } };
    const now = await TripStore.find(accessScope, those, 'key pack');
    missing = now.filter(({ key, pack }) => asRead.get(key) !== pack);
  }
  return found;
}

/**
 * Reads the encoded polylines of trips of one vehicle, by trip key, in one query. Omitted are trips with buckets of earlier
 * versions, and those of which not all buckets are there, since their packs were replaced since they were read.
 */
export async function loadTripLines(
  accessScope: AccessScope,
  trips: readonly (PackedTrip & Pick<StoredTrip, 'point_count'>)[],
): Promise<Map<string, string>> {
  const buckets = await readBuckets(accessScope, trips, 'line');
  const lines = new Map<string, string>();
  for (const { key, point_count } of trips) {
    const found = (buckets.get(key) ?? []).map(({ line }) => line);
    const isWhole = found.length === Math.ceil(point_count / POINTS_PER_BUCKET) && !found.includes(null);
    if (isWhole) lines.set(key, found.join(''));
  }
  return lines;
}

/** Reads a field of the buckets of trips, of the packs that these name, in their order, by trip key. */
async function readBuckets(accessScope: AccessScope, trips: readonly PackedTrip[], field: 'packed' | 'line') {
  const packs = new Map(trips.map(({ key, pack }) => [key, pack]));
  const filter = {
    vehicle_key: accessScope.vehicle_key ?? '',
    trip_key: { $in: [...packs.keys()] },
    pack: { $in: [...new Set(packs.values())] },
  };
  const buckets = await TripPointsBucketStore.find(accessScope, filter, `trip_key pack ${field}`)
    .sort({ trip_key: 1, pack: 1, number: 1 })
    .batchSize(BATCH_SIZE);
  const named = buckets.filter(({ trip_key, pack }) => pack === packs.get(trip_key));
  return groupedBy(named, ({ trip_key }) => trip_key);
}

/** Reads all positions of trips of one vehicle, in the order of their times. */
export async function loadPointsOfTrips(accessScope: AccessScope, trips: readonly PackedTrip[]): Promise<TripPoints> {
  const packed = await loadTripPoints(accessScope, trips);
  return mergeTripPoints([...packed.values()].map(unpackTrip));
}

/** Reads the positions of a trip of the scope's vehicle, a bucket at a time. */
export async function* streamTripPoints(accessScope: AccessScope, { key, pack }: PackedTrip) {
  const filter = { vehicle_key: accessScope.vehicle_key ?? '', trip_key: key, pack };
  const buckets = TripPointsBucketStore.find(accessScope, filter, 'packed').sort({ number: 1 }).batchSize(8).cursor();
  for await (const { packed } of buckets) yield unpackTripPoints(bytesOf(packed));
}

/** Describes the fault of a stored bucket: changed bytes, or bytes that cannot be unpacked; null if there is none. */
export function bucketFault({ packed, checksum }: Pick<Bucket, 'packed' | 'checksum'>): string | null {
  const bytes = bytesOf(packed);
  if (typeof checksum === 'number' && crc32(bytes) !== checksum) return 'its checksum does not match';
  try {
    unpackTripPoints(bytes);
    return null;
  } catch (error) {
    return `it cannot be unpacked (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Unpacks the positions of one trip. */
export function unpackTrip(packed: PackedTripPoints): TripPoints {
  return joinTripPoints(packed.map(unpackTripPoints));
}
