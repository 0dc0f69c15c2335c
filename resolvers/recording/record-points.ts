import { mergeTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import { loadMinutes, purgeMinutes, type Recorder, stampMinutes } from '../../models/trips/device-minute.ts';
import { accountAccessScope, vehicleAccessScope } from '../../models/tenancy.ts';
import { loadPointsOfTrips } from '../../models/trips/trip-points-bucket.ts';
import { tripsChanged } from '../../models/vehicles/vehicle.ts';
import type { IngestResult } from '../../schema/vehicles/ingest-result.ts';
import { DISCONNECTED_AFTER_MS } from '../devices/device-presence.ts';

import { announceChanges, type RecordedChange } from './announce-changes.ts';
import { addToMinutes } from './change-minutes.ts';
import { reopenTrips } from './change-trips.ts';
import { saysIgnitionOff } from './cut-recording.ts';
import { type DeviceLease, type RecordingDevice, withDeviceLease } from './device-lease.ts';
import { extendOpenTrips, hasMarks, tailsOf } from './extend-open-trips.ts';
import { segmentsOf } from './segments-of.ts';
import { rearrange, removeStagedTrips, spanOf } from './rearrange.ts';
import {
  type KnownTrip,
  type LeasedRecorder,
  nextTrip,
  openTrips,
  stampOpenTrips,
  tripsAround,
} from './recorded-trips.ts';

/**
 * Records positions of a device, in any order, and derives its trips from them. Positions of one time are one position.
 * Returns, once all of it is safe, how many positions were new, and how many were known or repeated.
 */
export async function recordPoints(device: RecordingDevice, points: TripPoints): Promise<IngestResult> {
  const accepted = await withDeviceLease(device, { isRearranging: hasMarks(points) }, async (lease) => {
    const recorder = await recorderUnder(lease, device);
    const recorded: RecordedChange[] = [];
    for (const part of await segmentsOf(recorder, mergeTripPoints([points]))) {
      recorded.push(await recordPart(recorder, part));
    }
    await announceChanges(device, recorded);
    // A tracker that reports often while it is parked never falls silent.
    if (saysIgnitionOff(points)) await purgeParked(recorder);
    return {
      result: recorded.reduce((sum, { fresh }) => sum + fresh.length, 0),
      isSeen: true,
      dueIn: DISCONNECTED_AFTER_MS,
    };
  });
  return { accepted: accepted ?? 0, duplicates: points.length - (accepted ?? 0) };
}

/** Retention of positions of a parked vehicle, which are in no trip, to recognize repeats; in milliseconds. */
export const PARKED_MS = 86_400_000;

/** Deletes positions of a parked vehicle after a day; none while a trip is open, whose positions are in minutes as well. */
export async function purgeParked(recorder: LeasedRecorder): Promise<void> {
  if ((await openTrips(recorder, 1)).length > 0) return;
  await purgeMinutes(recorder, new Date(Date.now() - PARKED_MS));
}

/** Makes a device's recorder under its lease: earlier holders' writes then fail, and their work is completed. */
export async function recorderUnder(lease: DeviceLease, device: RecordingDevice): Promise<LeasedRecorder> {
  const recorder = { ...recorderOf(lease, device), confirm: () => lease.confirm() };
  const { interrupted } = lease;
  if (interrupted !== null && interrupted !== device.vehicle_key) {
    await completeArrangement({ ...recorder, ...recorderOf(lease, { ...device, vehicle_key: interrupted }) });
  }
  if (interrupted === device.vehicle_key) await completeArrangement(recorder);
  else if (lease.isNewEpoch) await takeOver(recorder);
  return recorder;
}

function recorderOf({ epoch }: DeviceLease, { key, account_key, vehicle_key }: RecordingDevice): Recorder {
  const accessScope = { ...vehicleAccessScope(accountAccessScope(account_key), { key: vehicle_key }), vehicle_key };
  return { accessScope, device_key: key, epoch };
}

/** Takes over whatever earlier holders of the lease may still write in place of what they have read. */
async function takeOver(recorder: LeasedRecorder): Promise<void> {
  await stampMinutes(recorder);
  await stampOpenTrips(recorder);
}

/** Completes what a fault or a kill left, maybe half visible: all that it concerned is still in the minutes. */
async function completeArrangement(recorder: LeasedRecorder): Promise<void> {
  await takeOver(recorder);
  await removeStagedTrips(recorder);
  const minutes = await loadMinutes(recorder, -Infinity, Infinity);
  for (const part of await segmentsOf(recorder, mergeTripPoints(minutes.map(({ points }) => points)))) {
    await rearrange(recorder, ...spanOf(part));
  }
  await tripsChanged(recorder.accessScope.account_key, [recorder.accessScope.vehicle_key]);
}

async function recordPart(recorder: LeasedRecorder, points: TripPoints): Promise<RecordedChange> {
  const [from, until] = spanOf(points);
  const around = await tripsAround(recorder, from, until);
  const next = await nextTrip(recorder, until);
  const packed = await packedPoints(recorder, around, points);
  const known = await tailsOf(recorder, around, next, points);
  const { fresh, amended } = await addToMinutes(recorder, points, packed);
  if (fresh.length + amended.length === 0) return { fresh, changed: fresh };
  const changed = mergeTripPoints([fresh, amended]);
  const extended = extendOpenTrips(changed, known, next);
  if (extended === null)
    return { fresh, changed: mergeTripPoints([changed, await rearrange(recorder, ...spanOf(changed))]) };
  await reopenTrips(recorder, extended);
  return { fresh, changed };
}

/** Positions in buckets of the trips in which some of the given ones may lie. */
function packedPoints(recorder: Recorder, trips: readonly KnownTrip[], points: TripPoints): Promise<TripPoints> {
  const mayHold = trips.filter(({ start, recording }) => {
    const end = recording.packed_until?.getTime();
    return end !== undefined && points.time.some((time) => time >= start && time <= end);
  });
  return loadPointsOfTrips(recorder.accessScope, mayHold);
}
