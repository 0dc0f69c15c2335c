import type { Recorder } from '../../models/device-minute.ts';
import { OPEN_END, TripModel } from '../../models/trip.ts';
import { emptyTripPoints } from '../../models/trip-points.ts';
import { outlineOf, packOutline } from '../geometry/outline.ts';
import { tripFacts } from '../geometry/trip-facts.ts';

import type { RecordedPiece } from './cut-recording.ts';
import type { KnownTrip } from './recorded-trips.ts';

/** What stands for the fingerprint of a trip that shares its positions with no other, or cannot be told by them. */
export function ownFingerprint(key: string): string {
  return `open:${key}`;
}

/** Adds a trip that is open; its positions are in the device's minutes. */
export async function addOpenTrip(recorder: Recorder, key: string, piece: RecordedPiece): Promise<void> {
  const { sight, device_key } = recorder;
  await TripModel.create([
    {
      ...openFacts(piece, null),
      key,
      account_key: sight.account_key,
      vehicle_key: sight.vehicle_key,
      device_key,
      user_key: null,
      tags: [],
      staged: false,
      staged_by: [],
      imported_by: null,
      fingerprint: ownFingerprint(key),
      outline: packOutline(outlineOf(emptyTripPoints(0))),
    },
  ]);
}

/** Says of a trip that it is open, beginning where the piece begins; its positions are in the minutes and its buckets. */
export async function openTripAt(
  { sight }: Recorder,
  { key, recording }: KnownTrip,
  piece: RecordedPiece,
): Promise<void> {
  await TripModel.updateOne({ key }, openFacts(piece, recording.packed_until)).setOptions({ sight });
}

/** Says of those trips that are closed that positions inside them, or that follow them, are in the minutes. */
export async function reopenTrips({ sight }: Recorder, trips: Iterable<KnownTrip>): Promise<void> {
  const closed = [...trips].filter(({ recording }) => !recording.open).map(({ key }) => key);
  if (closed.length === 0) return;
  const open = {
    'recording.open': true,
    'end_point.timestamp': OPEN_END,
    duration_seconds: secondsOpen(0),
  };
  const which = { vehicle_key: sight.vehicle_key, key: { $in: closed }, 'recording.open': false };
  await TripModel.updateMany(which, open).setOptions({ sight });
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
