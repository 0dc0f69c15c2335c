import type { Recorder } from '../../models/device-minute.ts';
import { newKey } from '../../models/key.ts';
import { mergeTripPoints } from '../../models/merge-trip-points.ts';
import { TripModel } from '../../models/trip.ts';
import { emptyTripPoints } from '../../models/trip-points.ts';
import { bucketsOf, TripPointsBucketModel } from '../../models/trip-points-bucket.ts';
import { insertTrips } from '../trip-import/insert-trips.ts';

import { takeFromMinutes } from './change-minutes.ts';
import { closedFacts } from './close-trip.ts';
import type { RecordedPiece } from './cut-recording.ts';
import { ownFingerprint } from './open-trip.ts';

/**
 * Adds trips that are over, and takes their positions out of the device's minutes: a fixed number of commands, however
 * many trips. They are staged like those of an import, and become visible once their buckets are complete.
 */
export async function addClosedTrips(recorder: Recorder, pieces: readonly RecordedPiece[]): Promise<void> {
  if (pieces.length === 0) return;
  const { sight, device_key } = recorder;
  const { account_key, vehicle_key } = sight;
  const run = newKey();
  const trips = pieces.map((piece) => ({
    ...closedFacts(piece),
    ...{ key: newKey(), account_key, vehicle_key, device_key },
    ...{ staged: true, staged_by: [run], staged_at: new Date() },
  }));
  const known = await insertTrips(trips);
  // The owner has imported recordings of the same trips: both stay.
  const both = trips
    .filter((_, at) => known.has(at))
    .map((trip) => ({ ...trip, fingerprint: ownFingerprint(trip.key) }));
  if (both.length > 0) await insertTrips(both);
  const buckets = trips.flatMap((trip, at) => bucketsOf(trip, pieces[at]?.points ?? emptyTripPoints(0)));
  await TripPointsBucketModel.insertMany(buckets, { ordered: false, lean: true });
  const shown = { staged: false, staged_by: [], staged_at: null };
  const staged = { vehicle_key, staged_by: run, staged: true };
  const { matchedCount } = await TripModel.updateMany(staged, shown).setOptions({ sight });
  if (matchedCount < trips.length)
    throw new Error(`Others work on device ${device_key}: they removed its staged trips`);
  await takeFromMinutes(recorder, mergeTripPoints(pieces.map(({ points }) => points)));
}
