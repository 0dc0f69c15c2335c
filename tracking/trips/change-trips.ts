import { isDuplicateKey } from '../../models/store/duplicate-key.ts';
import { newKey } from '../../models/key.ts';
import { sharesEndWith } from '../../models/shares/share.ts';
import { numberAfter } from '../../models/trips/fenced-number.ts';
import { OPEN_END } from '../../models/trips/trip.ts';
import { emptyTripPoints } from '../../models/trips/trip-points.ts';
import { bucketsOf, TripPointsBucketStore } from '../../models/trips/trip-points-bucket.ts';
import { withAddresses } from '../addresses/trip-addresses.ts';
import { streetsDue } from '../addresses/streets-due.ts';
import { outlineOf, packOutline } from '../geometry/outline.ts';
import { storedLines } from '../geometry/stored-lines.ts';
import { tripFacts } from '../geometry/trip-facts.ts';

import type { RecordedPiece } from './cut-recording.ts';
import { mapInBatches } from '../scheduling/map-in-batches.ts';
import { changeTrips, type KnownTrip, type LeasedRecorder } from './recorded-trips.ts';
import { fingerprintOf } from './stage-trip.ts';
import type { Service } from '../../models/store/service.ts';
import { unrestricted } from '../../models/store/tenancy.ts';

/** Placeholder for the fingerprint of a trip that no other can duplicate, or that its positions do not identify. */
export function ownFingerprint(key: string): string {
  return `open:${key}`;
}

/** Stored fields of a new open trip, apart from its owner's keys; its positions are in the device's minutes. */
export function newOpenTrip(piece: RecordedPiece) {
  const key = newKey();
  const outline = packOutline(outlineOf(emptyTripPoints(0)));
  return { ...openFacts(piece, null), key, fingerprint: ownFingerprint(key), outline };
}

/** Marks a trip as open, beginning where the piece begins; its positions are in the minutes and its buckets. */
export function openTripAt(recorder: LeasedRecorder, trip: KnownTrip, piece: RecordedPiece): Promise<void> {
  return changeTrips(recorder, [trip.key], openFacts(piece, trip.recording.packed_until));
}

function openFacts({ points, ...recording }: RecordedPiece, packed_until: Date | null) {
  const facts = withAddresses(tripFacts(points));
  return {
    ...facts,
    end_point: { ...facts.end_point, timestamp: OPEN_END },
    duration_seconds: (OPEN_END.getTime() - facts.start_point.timestamp.getTime()) / 1000,
    recording: { ...recording, open: true, packed_until },
  };
}

/**
 * Closes open trips: packs their positions into buckets like those of imported trips, and stores facts and outlines.
 * The positions stay in the minutes: remove them afterwards, as they were read before. Readers always find a whole
 * trip, even after a kill: it names its earlier pack until the new one is complete.
 */
export async function closeTrips(
  service: Service,
  recorder: LeasedRecorder,
  ended: readonly { readonly trip: KnownTrip; readonly piece: RecordedPiece }[],
): Promise<void> {
  if (ended.length === 0) return;
  const { account_key, vehicle_key } = recorder.accessScope;
  const packed = ended.map((one) => ({ ...one, pack: numberAfter(one.trip.pack ?? 0, recorder.epoch) }));
  const buckets = packed.flatMap(({ trip: { key }, piece, pack }) =>
    bucketsOf({ key, account_key, vehicle_key }, piece.points, pack),
  );
  await TripPointsBucketStore.insertMany(unrestricted(service), buckets, { ordered: false, lean: true });
  await mapInBatches(packed, async ({ trip, piece, pack }) => {
    const { fingerprint, ...closed } = closedFacts(service, piece, pack);
    const asRead = { pack: trip.pack };
    try {
      await changeTrips(recorder, [trip.key], { ...closed, pack, fingerprint }, asRead);
    } catch (error) {
      // The owner has imported a recording of the same trip: both stay.
      if (!isDuplicateKey(error)) throw error;
      await changeTrips(recorder, [trip.key], { ...closed, pack }, asRead);
    }
  });
  await sharesEndWith(
    service,
    account_key,
    ended.map(({ trip }) => trip.key),
  );
}

/** Stored fields of an ended trip, apart from its buckets, which are of the given pack. */
export function closedFacts(service: Service, { points, ...recording }: RecordedPiece, pack: number | null = null) {
  const facts = withAddresses(tripFacts(points));
  return {
    ...facts,
    ...streetsDue(service),
    ...storedLines(points, pack),
    recording: { ...recording, open: false, packed_until: facts.end_point.timestamp },
    fingerprint: fingerprintOf(points),
  };
}
