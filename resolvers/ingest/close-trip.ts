import { isDuplicateKey } from '../../models/duplicate-key.ts';
import type { Recorder } from '../../models/device-minute.ts';
import { mergeTripPoints } from '../../models/merge-trip-points.ts';
import { type StoredTrip, TripModel } from '../../models/trip.ts';
import type { TripPoints } from '../../models/trip-points.ts';
import { bucketsOf, TripPointsBucketModel } from '../../models/trip-points-bucket.ts';
import { bytesOf } from '../../models/trip-points-bytes.ts';
import { outlineOf, packOutline } from '../geometry/outline.ts';
import { tripFacts } from '../geometry/trip-facts.ts';
import { fingerprintOf } from '../trip-import/stage-trip.ts';

import { takeFromMinutes } from './change-minutes.ts';
import type { RecordedPiece } from './cut-recording.ts';
import { inTurns } from './in-turns.ts';

/** A trip that is open, and what it has become. */
export interface EndedTrip {
  readonly key: string;
  readonly piece: RecordedPiece;
}

/**
 * Closes open trips: packs their positions into buckets as imported trips have them, stores their facts and outlines, and
 * takes the positions out of the device's minutes.
 */
export async function closeTrips(recorder: Recorder, trips: readonly EndedTrip[]): Promise<void> {
  if (trips.length === 0) return;
  await inTurns(trips, (trip) => closeTrip(recorder, trip));
  await takeFromMinutes(recorder, mergeTripPoints(trips.map(({ piece }) => piece.points)));
}

/**
 * Whatever is read meanwhile, or left by a kill, is whole: the trip stays open until its buckets are complete, and the
 * positions stay in the minutes until it is closed.
 */
async function closeTrip(recorder: Recorder, { key, piece }: EndedTrip): Promise<void> {
  await packInto(recorder, key, piece.points);
  const { fingerprint, ...closed } = closedFacts(piece);
  try {
    await store(recorder, key, { ...closed, fingerprint });
  } catch (error) {
    // The owner has imported a recording of the same trip: both stay.
    if (!isDuplicateKey(error)) throw error;
    await store(recorder, key, closed);
  }
}

/** Stores what is known of a trip; throws where it is gone, since its positions must then stay in the minutes. */
async function store({ sight, device_key }: Recorder, key: string, facts: Partial<StoredTrip>): Promise<void> {
  const { matchedCount } = await TripModel.updateOne({ key }, facts).setOptions({ sight });
  if (matchedCount === 0) throw new Error(`Others work on device ${device_key}: they removed trip ${key}`);
}

/**
 * Makes the buckets of a trip hold its positions; those that do so already, as nearly all of a long trip that went on for a
 * while, are not written. They are replaced from the last to the first, since positions that came late can only push others
 * towards the end.
 */
async function packInto({ sight }: Recorder, key: string, points: TripPoints): Promise<void> {
  const { account_key, vehicle_key } = sight;
  const those = { vehicle_key, trip_key: key };
  const stored = await TripPointsBucketModel.find(those, 'number packed', { sight }).lean();
  const packedAt = new Map(stored.map(({ number, packed }) => [number, bytesOf(packed)]));
  const buckets = bucketsOf({ key, account_key, vehicle_key }, points);
  for (const bucket of buckets.toReversed()) {
    const { number, packed } = bucket;
    const there = packedAt.get(number);
    if (!there) await TripPointsBucketModel.create([bucket]);
    else if (!packed.equals(there)) {
      await TripPointsBucketModel.updateOne({ ...those, number }, { packed }).setOptions({ sight });
    }
  }
  const surplus = { ...those, number: { $gte: buckets.length } };
  if (stored.some(({ number }) => number >= buckets.length)) {
    await TripPointsBucketModel.deleteMany(surplus).setOptions({ sight });
  }
}

/** What is stored of a trip that is over, beside its buckets. */
export function closedFacts({ points, engine_started, engine_stopped }: RecordedPiece) {
  const facts = tripFacts(points);
  return {
    ...facts,
    outline: packOutline(outlineOf(points)),
    recording: { open: false, engine_started, engine_stopped, packed_until: facts.end_point.timestamp },
    fingerprint: fingerprintOf(points),
  };
}
