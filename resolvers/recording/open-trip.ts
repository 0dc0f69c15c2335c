import { newKey } from '../../models/key.ts';
import { leaseLost } from '../../models/trips/lease-lost.ts';
import { OPEN_END, TripModel } from '../../models/trips/trip.ts';
import { emptyTripPoints } from '../../models/trips/trip-points.ts';
import { outlineOf, packOutline } from '../geometry/outline.ts';
import { tripFacts } from '../geometry/trip-facts.ts';

import type { RecordedPiece } from './cut-recording.ts';
import type { LeasedRecorder } from './leased-recorder.ts';
import { type KnownTrip, upTo } from './recorded-trips.ts';

/** Placeholder for the fingerprint of a trip that shares its positions with no other, or cannot be told by them. */
export function ownFingerprint(key: string): string {
  return `open:${key}`;
}

/** Fields stored of a new open trip, beside its owner's keys; its positions are in the device's minutes. */
export function newOpenTrip(piece: RecordedPiece) {
  const key = newKey();
  const outline = packOutline(outlineOf(emptyTripPoints(0)));
  return { ...openFacts(piece, null), key, fingerprint: ownFingerprint(key), outline };
}

/** Says of a trip that it is open, beginning where the piece begins; its positions are in the minutes and its buckets. */
export async function openTripAt(
  { accessScope, epoch }: LeasedRecorder,
  { key, recording }: KnownTrip,
  piece: RecordedPiece,
): Promise<void> {
  const which = { vehicle_key: accessScope.vehicle_key, key, ...upTo(epoch) };
  const { matchedCount } = await TripModel.updateOne(which, {
    ...openFacts(piece, recording.packed_until),
    epoch,
  }).setOptions({ accessScope });
  if (matchedCount === 0) throw leaseLost();
}

/** Says of those trips that are closed that positions inside them, or that follow them, are in the minutes. */
export async function reopenTrips(recorder: LeasedRecorder, trips: Iterable<KnownTrip>): Promise<void> {
  const closed = [...trips].filter(({ recording }) => !recording.open).map(({ key }) => key);
  if (closed.length === 0) return;
  const { accessScope, epoch } = recorder;
  await recorder.confirm();
  const open = {
    'recording.open': true,
    'end_point.timestamp': OPEN_END,
    duration_seconds: secondsOpen(0),
    epoch,
  };
  const which = { vehicle_key: accessScope.vehicle_key, key: { $in: closed }, ...upTo(epoch) };
  const { matchedCount } = await TripModel.updateMany(which, open).setOptions({ accessScope });
  if (matchedCount < closed.length) throw leaseLost();
}

function openFacts({ points, engine_started, engine_stopped }: RecordedPiece, packed_until: Date | null) {
  const facts = tripFacts(points);
  return {
    ...facts,
    end_point: { ...facts.end_point, timestamp: OPEN_END },
    duration_seconds: secondsOpen(facts.start_point.timestamp.getTime()),
    recording: { open: true, engine_started, engine_stopped, packed_until },
  };
}

function secondsOpen(start: number): number {
  return (OPEN_END.getTime() - start) / 1000;
}
