import { crc32 } from 'node:zlib';

import type { Sight } from './tenancy.ts';

import { mergeTripPoints } from './merge-trip-points.ts';
import { modelOf } from './model-of.ts';
import type { TripPoints } from './trip-points.ts';
import { joinTripPoints } from './trip-points.ts';
import { bytesOf } from './trip-points-bytes.ts';
import { packTripPoints, unpackTripPoints } from './trip-points-codec.ts';

/** Positions a bucket: few enough to read no more than needed, many enough that the document around them weighs little. */
const POINTS_PER_BUCKET = 2000;

/** A record of which nothing leaves. */
class TripPointsBucket {}

/** A run of a trip's positions, packed. */
interface BucketHidden {
  readonly account_key: string;
  readonly vehicle_key: string;
  readonly trip_key: string;
  /** Place of the bucket in its trip, from 0. */
  readonly number: number;
  readonly packed: Buffer;
  /** CRC-32 of `packed`; buckets of earlier versions have none. */
  readonly checksum?: number | undefined;
}

/** Buckets of positions, found by vehicle and trip. */
export const TripPointsBucketModel = modelOf<TripPointsBucket, BucketHidden>(TripPointsBucket, {
  collection: 'trip_points',
  tenancy: 'vehicle',
  hidden: {
    account_key: { type: String, required: true },
    vehicle_key: { type: String, required: true },
    trip_key: { type: String, required: true },
    number: { type: Number, required: true },
    packed: { type: Buffer, required: true },
    checksum: { type: Number },
  },
  indexes: [[{ vehicle_key: 1, trip_key: 1, number: 1 }, { unique: true }]],
});

/** Packs the positions of a trip into the documents that store them. */
export function bucketsOf(
  trip: { readonly key: string; readonly account_key: string; readonly vehicle_key: string },
  points: TripPoints,
): BucketHidden[] {
  const buckets: BucketHidden[] = [];
  for (let from = 0; from < points.length; from += POINTS_PER_BUCKET) {
    const until = Math.min(from + POINTS_PER_BUCKET, points.length);
    const packed = packTripPoints(points, from, until);
    buckets.push({
      account_key: trip.account_key,
      vehicle_key: trip.vehicle_key,
      trip_key: trip.key,
      number: buckets.length,
      packed,
      checksum: crc32(packed),
    });
  }
  return buckets;
}

/** The positions of a trip as they are stored; unpack them one trip at a time, they grow fivefold. */
export type PackedTripPoints = readonly Uint8Array[];

/** Reads the packed positions of trips of one vehicle, by trip key, in one query. */
export async function loadTripPoints(
  sight: Sight,
  tripKeys: readonly string[],
): Promise<ReadonlyMap<string, PackedTripPoints>> {
  const found = new Map<string, Uint8Array[]>();
  if (tripKeys.length === 0) return found;
  const filter = { vehicle_key: sight.vehicle_key ?? '', trip_key: { $in: [...tripKeys] } };
  const buckets = await TripPointsBucketModel.find(filter, null, { sight }).sort({ trip_key: 1, number: 1 }).lean();
  for (const { trip_key, packed } of buckets) {
    const earlier = found.get(trip_key);
    if (earlier) earlier.push(bytesOf(packed));
    else found.set(trip_key, [bytesOf(packed)]);
  }
  return found;
}

/** Reads all positions of trips of one vehicle, in the order of their times. */
export async function loadPointsOfTrips(sight: Sight, tripKeys: readonly string[]): Promise<TripPoints> {
  const packed = await loadTripPoints(sight, tripKeys);
  return mergeTripPoints([...packed.values()].map(unpackTrip));
}

/** Reads the positions of a trip of the sight's vehicle, a bucket at a time. */
export async function* streamTripPoints(sight: Sight, tripKey: string): AsyncGenerator<TripPoints> {
  const filter = { vehicle_key: sight.vehicle_key ?? '', trip_key: tripKey };
  const buckets = TripPointsBucketModel.find(filter, null, { sight })
    .sort({ number: 1 })
    .lean()
    .cursor({ batchSize: 8 });
  for await (const { packed } of buckets) yield unpackTripPoints(bytesOf(packed));
}

/** Names the fault of a stored bucket: other bytes than were written, or ones that cannot be unpacked; null for none. */
export function bucketFault({ packed, checksum }: Pick<BucketHidden, 'packed' | 'checksum'>): string | null {
  const bytes = bytesOf(packed);
  if (typeof checksum === 'number' && crc32(bytes) !== checksum) return 'its checksum is another';
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
