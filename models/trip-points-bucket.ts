import type { Sight } from './tenancy.ts';

import { modelOf } from './model-of.ts';
import type { TripPoints } from './trip-points.ts';
import { joinTripPoints } from './trip-points.ts';
import { packTripPoints, unpackTripPoints } from './trip-points-codec.ts';

/** Positions a bucket: few enough to read no more than needed, many enough that the document around them weighs little. */
export const POINTS_PER_BUCKET = 2000;

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
    buckets.push({
      account_key: trip.account_key,
      vehicle_key: trip.vehicle_key,
      trip_key: trip.key,
      number: buckets.length,
      packed: packTripPoints(points, from, until),
    });
  }
  return buckets;
}

/** Reads the positions of trips of one vehicle, by trip key, in one query. */
export async function loadTripPoints(sight: Sight, tripKeys: readonly string[]): Promise<Map<string, TripPoints>> {
  const buckets = await TripPointsBucketModel.find({ trip_key: { $in: [...tripKeys] } }, null, { sight })
    .sort({ trip_key: 1, number: 1 })
    .lean();
  const parts = new Map<string, TripPoints[]>();
  for (const { trip_key, packed } of buckets) {
    const unpacked = unpackTripPoints(bytesOf(packed));
    const earlier = parts.get(trip_key);
    if (earlier) earlier.push(unpacked);
    else parts.set(trip_key, [unpacked]);
  }
  return new Map([...parts].map(([key, runs]) => [key, joinTripPoints(runs)]));
}

/** Lean documents carry the driver's Binary where the type says Buffer. */
export function bytesOf(stored: Buffer | { readonly buffer: Uint8Array }): Uint8Array {
  return stored instanceof Uint8Array ? stored : stored.buffer;
}
