import { loadMinutes, type Recorder, stampMinutes } from '../../models/device-minute.ts';
import { mergeTripPoints } from '../../models/merge-trip-points.ts';
import { sightOfAccount, sightOfVehicle } from '../../models/tenancy.ts';
import type { TripPoints } from '../../models/trip-points.ts';
import { loadPointsOfTrips } from '../../models/trip-points-bucket.ts';
import { tripsChanged } from '../../models/vehicle.ts';
import type { IngestResult } from '../../schema/ingest-result.ts';
import { DISCONNECTED_AFTER_MS } from '../device-presence.ts';

import { addToMinutes } from './change-minutes.ts';
import { saysIgnitionOff } from './cut-recording.ts';
import { careFor, type DeviceLease } from './device-care.ts';
import { forgetParked } from './forget-parked.ts';
import { growingTrips, hasMarks, tailsOf } from './growing-trips.ts';
import type { LeasedRecorder } from './leased-recorder.ts';
import { reopenTrips } from './open-trip.ts';
import { partsOf } from './parts-of.ts';
import { rearrange, removeStagedTrips, spanOf } from './rearrange.ts';
import { type KnownTrip, nextTrip, stampOpenTrips, tripsAround } from './recorded-trips.ts';

/** The device whose positions are recorded, in the vehicle that it is in. */
export interface RecordingDevice {
  readonly key: string;
  readonly account_key: string;
  readonly vehicle_key: string;
}

/**
 * Records positions of a device and makes its trips what follows of them. Positions of one time are one position.
 *
 * @param points in any order, times may repeat
 * @returns once all of it is safe: how many of the positions were new, and how many were known or repeated
 */
export async function recordPoints(device: RecordingDevice, points: TripPoints): Promise<IngestResult> {
  const { account_key, vehicle_key } = device;
  const turn = { sight: sightOfAccount(account_key), isRearranging: hasMarks(points) };
  const accepted = await careFor(device, turn, async (lease) => {
    const recorder = await recorderUnder(lease, device);
    let fresh = 0;
    for (const part of await partsOf(recorder, mergeTripPoints([points]))) fresh += await recordPart(recorder, part);
    await tripsChanged(account_key, [vehicle_key]);
    // A tracker that reports often while it is parked never falls silent.
    if (saysIgnitionOff(points)) await forgetParked(recorder);
    return { result: fresh, isHeard: true, dueIn: DISCONNECTED_AFTER_MS };
  });
  return { accepted: accepted ?? 0, duplicates: points.length - (accepted ?? 0) };
}

/**
 * Whose minutes and trips the positions of a device are, for the holder of its lease: what earlier holders may still write
 * is refused from here on, and what they did not finish is completed.
 */
export async function recorderUnder(lease: DeviceLease, device: RecordingDevice): Promise<LeasedRecorder> {
  const recorder = { ...recorderOf(lease, device), confirm: () => lease.confirm() };
  const { interrupted } = lease;
  if (interrupted !== null && interrupted !== device.vehicle_key) {
    await completeArrangement({ ...recorder, ...recorderOf(lease, { ...device, vehicle_key: interrupted }) });
    await tripsChanged(device.account_key, [interrupted]);
  }
  if (interrupted === device.vehicle_key) await completeArrangement(recorder);
  else if (lease.isNewEpoch) await takeOver(recorder);
  return recorder;
}

function recorderOf({ epoch }: DeviceLease, { key, account_key, vehicle_key }: RecordingDevice): Recorder {
  const sight = { ...sightOfVehicle(sightOfAccount(account_key), { key: vehicle_key }), vehicle_key };
  return { sight, device_key: key, epoch };
}

/** Takes over whatever earlier holders of the lease may still write in place of what they have read. */
async function takeOver(recorder: LeasedRecorder): Promise<void> {
  await stampMinutes(recorder);
  await stampOpenTrips(recorder);
}

/** Completes what a fault or a kill has interrupted: whatever it concerned is still in the minutes. */
async function completeArrangement(recorder: LeasedRecorder): Promise<void> {
  await takeOver(recorder);
  await removeStagedTrips(recorder);
  const minutes = await loadMinutes(recorder, -Infinity, Infinity);
  for (const part of await partsOf(recorder, mergeTripPoints(minutes.map(({ points }) => points)))) {
    await rearrange(recorder, ...spanOf(part));
  }
}

async function recordPart(recorder: LeasedRecorder, points: TripPoints): Promise<number> {
  const [from, until] = spanOf(points);
  const around = await tripsAround(recorder, from, until);
  const next = await nextTrip(recorder, until);
  const packed = await packedPoints(recorder, around, points);
  const known = await tailsOf(recorder, around, next, points);
  const { fresh, amended } = await addToMinutes(recorder, points, packed);
  if (fresh.length + amended.length === 0) return 0;
  const changed = mergeTripPoints([fresh, amended]);
  const growing = growingTrips(changed, known, next);
  if (growing === null) await rearrange(recorder, ...spanOf(changed));
  else await reopenTrips(recorder, growing);
  return fresh.length;
}

/** Positions in buckets of the trips in which some of the given ones may lie. */
function packedPoints(recorder: Recorder, trips: readonly KnownTrip[], points: TripPoints): Promise<TripPoints> {
  const mayHold = trips.filter(({ start, recording }) => {
    const end = recording.packed_until?.getTime();
    return end !== undefined && points.time.some((time) => time >= start && time <= end);
  });
  return loadPointsOfTrips(recorder.sight, mayHold);
}
