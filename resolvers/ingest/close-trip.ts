import { insertUnlessThere, isDuplicateKey } from '../../models/duplicate-key.ts';
import type { Recorder } from '../../models/device-minute.ts';
import { mergeTripPoints } from '../../models/merge-trip-points.ts';
import { TripModel } from '../../models/trip.ts';
import { bucketsOf, TripPointsBucketModel } from '../../models/trip-points-bucket.ts';
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
 * positions stay in the minutes until it is closed. Buckets are replaced from the last to the first, since positions that
 * came late can only push others towards the end.
 */
async function closeTrip({ sight }: Recorder, { key, piece }: EndedTrip): Promise<void> {
  const { account_key, vehicle_key } = sight;
  const buckets = bucketsOf({ key, account_key, vehicle_key }, piece.points);
  for (const bucket of buckets.toReversed()) {
    const { number, packed } = bucket;
    const place = { vehicle_key, trip_key: key, number };
    const { matchedCount } = await TripPointsBucketModel.updateOne(place, { packed }).setOptions({ sight });
    if (matchedCount === 0) await insertUnlessThere(() => TripPointsBucketModel.create([bucket]));
  }
  const surplus = { vehicle_key, trip_key: key, number: { $gte: buckets.length } };
  await TripPointsBucketModel.deleteMany(surplus).setOptions({ sight });

  const { fingerprint, ...closed } = closedFacts(piece);
  try {
    await TripModel.updateOne({ key }, { ...closed, fingerprint }).setOptions({ sight });
  } catch (error) {
    // The owner has imported a recording of the same trip: both stay.
    if (!isDuplicateKey(error)) throw error;
    await TripModel.updateOne({ key }, closed).setOptions({ sight });
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
