import { isDuplicateKey } from '../../models/duplicate-key.ts';
import { numberAfter } from '../../models/trips/fenced-number.ts';
import { leaseLost } from '../../models/trips/lease-lost.ts';
import { type StoredTrip, TripModel } from '../../models/trips/trip.ts';
import { bucketsOf, TripPointsBucketModel } from '../../models/trips/trip-points-bucket.ts';
import { outlineOf, packOutline } from '../geometry/outline.ts';
import { tripFacts } from '../geometry/trip-facts.ts';
import { fingerprintOf } from './stage-trip.ts';

import type { RecordedPiece } from './cut-recording.ts';
import { mapInBatches } from './map-in-batches.ts';
import type { LeasedRecorder } from './leased-recorder.ts';
import { type KnownTrip, upTo } from './recorded-trips.ts';

/** A trip that is open, and what it has become. */
export interface EndedTrip {
  readonly trip: KnownTrip;
  readonly piece: RecordedPiece;
}

/**
 * Closes open trips: packs their positions into buckets as imported trips have them, and stores their facts and outlines.
 * The positions stay in the device's minutes: take them out afterwards, as they were read before.
 *
 * Whatever is read meanwhile, or left by a kill, is whole: a trip names its earlier pack until the new one is complete.
 */
export async function closeTrips(recorder: LeasedRecorder, ended: readonly EndedTrip[]): Promise<void> {
  if (ended.length === 0) return;
  const { account_key, vehicle_key } = recorder.accessScope;
  const packed = ended.map((one) => ({ ...one, pack: numberAfter(one.trip.pack ?? 0, recorder.epoch) }));
  const buckets = packed.flatMap(({ trip: { key }, piece, pack }) =>
    bucketsOf({ key, account_key, vehicle_key }, piece.points, pack),
  );
  await TripPointsBucketModel.insertMany(buckets, { ordered: false, lean: true });
  await mapInBatches(packed, async ({ trip, piece, pack }) => {
    const { fingerprint, ...closed } = closedFacts(piece);
    try {
      await store(recorder, trip, { ...closed, pack, fingerprint });
    } catch (error) {
      // The owner has imported a recording of the same trip: both stay.
      if (!isDuplicateKey(error)) throw error;
      await store(recorder, trip, { ...closed, pack });
    }
  });
}

/** Stores what is known of a trip, unless it was packed, removed, or read by a later holder of the lease since. */
async function store(
  { accessScope, epoch }: LeasedRecorder,
  { key, pack }: KnownTrip,
  facts: Partial<StoredTrip>,
): Promise<void> {
  const asRead = { vehicle_key: accessScope.vehicle_key, key, pack, ...upTo(epoch) };
  const { matchedCount } = await TripModel.updateOne(asRead, { ...facts, epoch }).setOptions({ accessScope });
  if (matchedCount === 0) throw leaseLost();
}

/** Fields stored of a trip that is over, beside its buckets. */
export function closedFacts({ points, engine_started, engine_stopped }: RecordedPiece) {
  const facts = tripFacts(points);
  return {
    ...facts,
    outline: packOutline(outlineOf(points)),
    recording: { open: false, engine_started, engine_stopped, packed_until: facts.end_point.timestamp },
    fingerprint: fingerprintOf(points),
  };
}
