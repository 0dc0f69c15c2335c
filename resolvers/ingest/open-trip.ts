import type { Recorder } from '../../models/device-minute.ts';
import { OPEN_END, TripModel, type TripRecording } from '../../models/trip.ts';
import { emptyTripPoints } from '../../models/trip-points.ts';
import { outlineOf, packOutline } from '../geometry/outline.ts';
import { tripFacts } from '../geometry/trip-facts.ts';

import type { RecordedPiece } from './cut-recording.ts';

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
      fingerprint: `open:${key}`,
      outline: packOutline(outlineOf(emptyTripPoints(0))),
    },
  ]);
}

/** Says of a trip that it is open, beginning where the piece begins; its positions are in the minutes and its buckets. */
export async function openTripAt(
  { sight }: Recorder,
  { key, recording }: { readonly key: string; readonly recording: TripRecording },
  piece: RecordedPiece,
): Promise<void> {
  await TripModel.updateOne({ key }, openFacts(piece, recording.packed_until)).setOptions({ sight });
}

/** Says of a closed trip that positions inside it, or that follow it, are in the minutes. */
export async function reopenTrip({ sight }: Recorder, key: string): Promise<void> {
  const open = {
    'recording.open': true,
    'end_point.timestamp': OPEN_END,
    duration_seconds: secondsOpen(0),
  };
  await TripModel.updateOne({ key, 'recording.open': false }, open).setOptions({ sight });
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
