import { insertUnlessThere, isDuplicateKey } from '../../models/duplicate-key.ts';
import type { Recorder } from '../../models/device-minute.ts';
import { TripModel } from '../../models/trip.ts';
import { bucketsOf, TripPointsBucketModel } from '../../models/trip-points-bucket.ts';
import { outlineOf, packOutline } from '../geometry/outline.ts';
import { tripFacts } from '../geometry/trip-facts.ts';
import { fingerprintOf } from '../trip-import/stage-trip.ts';

import { takeFromMinutes } from './change-minutes.ts';
import type { RecordedPiece } from './cut-recording.ts';

/**
 * Closes an open trip: packs its positions into buckets as an imported trip has them, stores its facts and outline, and
 * takes the positions out of the device's minutes.
 *
 * Whatever is read meanwhile, or left by a kill, is whole: the trip stays open until its buckets are complete, and the
 * positions stay in the minutes until it is closed. Buckets are replaced from the last to the first, since positions that
 * came late can only push others towards the end.
 */
export async function closeTrip(recorder: Recorder, key: string, piece: RecordedPiece): Promise<void> {
  const { sight } = recorder;
  const { points, engine_started, engine_stopped } = piece;
  const { account_key, vehicle_key } = sight;
  const buckets = bucketsOf({ key, account_key, vehicle_key }, points);
  for (const bucket of buckets.toReversed()) {
    const { number, packed } = bucket;
    const place = { vehicle_key, trip_key: key, number };
    const { matchedCount } = await TripPointsBucketModel.updateOne(place, { packed }).setOptions({ sight });
    if (matchedCount === 0) await insertUnlessThere(() => TripPointsBucketModel.create([bucket]));
  }
  const surplus = { vehicle_key, trip_key: key, number: { $gte: buckets.length } };
  await TripPointsBucketModel.deleteMany(surplus).setOptions({ sight });

  const facts = tripFacts(points);
  const packed_until = facts.end_point.timestamp;
  const recording = { open: false, engine_started, engine_stopped, packed_until };
  const closed = { ...facts, outline: packOutline(outlineOf(points)), recording };
  try {
    await TripModel.updateOne({ key }, { ...closed, fingerprint: fingerprintOf(points) }).setOptions({ sight });
  } catch (error) {
    // The owner has imported a recording of the same trip: both stay.
    if (!isDuplicateKey(error)) throw error;
    await TripModel.updateOne({ key }, closed).setOptions({ sight });
  }
  await takeFromMinutes(recorder, points);
}
