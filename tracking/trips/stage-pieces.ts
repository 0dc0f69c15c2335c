import { newKey } from '../../models/key.ts';
import { leaseLost } from '../../models/trips/lease-lost.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { bucketsOf, TripPointsBucketStore } from '../../models/trips/trip-points-bucket.ts';

import { closedFacts, newOpenTrip, ownFingerprint } from './change-trips.ts';
import type { RecordedPiece } from './cut-recording.ts';
import type { LeasedRecorder } from './recorded-trips.ts';
import { insertTrips } from './stage-trip.ts';

/** Pieces of a recording that become trips. */
interface NewPieces {
  readonly open: readonly RecordedPiece[];
  readonly closed: readonly RecordedPiece[];
  /** Key of the user who drove a piece; null if unknown. */
  readonly driverOf: (piece: RecordedPiece) => string | null;
}

/** Stages new trips with the buckets of closed ones in a fixed number of commands; a later holder removes them. */
export async function stagePieces(
  recorder: LeasedRecorder,
  { open, closed, driverOf }: NewPieces,
): Promise<{ readonly run: string; readonly count: number }> {
  const { accessScope, device_key, epoch } = recorder;
  const { account_key, vehicle_key } = accessScope;
  const run = newKey();
  const staged = (piece: RecordedPiece) => ({
    ...{ account_key, vehicle_key, device_key, epoch, user_key: driverOf(piece) },
    ...{ staged: true, staged_by: [run], staged_at: new Date() },
  });
  const over = closed.map((piece) => ({
    piece,
    trip: { ...closedFacts(accessScope.service, piece), ...staged(piece), key: newKey() },
  }));
  const trips = [
    ...over.map(({ trip }) => trip),
    ...open.map((piece) => ({ ...newOpenTrip(piece), ...staged(piece) })),
  ];
  if (trips.length === 0) return { run, count: 0 };
  const known = await insertTrips(accessScope.service, trips);
  // The owner has imported recordings of the same trips: both stay.
  const both = trips
    .filter((_, at) => known.has(at))
    .map((trip) => ({ ...trip, fingerprint: ownFingerprint(trip.key) }));
  if (both.length > 0) await insertTrips(accessScope.service, both);
  const buckets = over.flatMap(({ piece, trip }) => bucketsOf(trip, piece.points));
  if (buckets.length > 0) await TripPointsBucketStore.insertMany(accessScope, buckets, { ordered: false, lean: true });
  return { run, count: trips.length };
}

/**
 * Shows staged trips under a confirmed lease.
 *
 * @throws ServiceError SERVICE_UNAVAILABLE if a later holder removed any
 */
export async function showPieces(
  { accessScope }: LeasedRecorder,
  { run, count }: Awaited<ReturnType<typeof stagePieces>>,
): Promise<void> {
  if (count === 0) return;
  const staged = { vehicle_key: accessScope.vehicle_key, staged_by: run, staged: true };
  const shown = { staged: false, staged_by: [], staged_at: null };
  const { matchedCount } = await TripStore.updateMany(accessScope, staged, shown);
  if (matchedCount < count) throw leaseLost();
}
