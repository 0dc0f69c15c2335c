import { DeviceModel } from '../../models/device.ts';
import { forgetMinutes, type Recorder } from '../../models/device-minute.ts';
import { EVERYTHING, sightOfAccount } from '../../models/tenancy.ts';
import { type StoredTrip, TripModel } from '../../models/trip.ts';

import { closeTrip } from './close-trip.ts';
import { cutRecording } from './cut-recording.ts';
import { careFor } from './device-care.ts';
import { openTripPoints } from './open-trip-points.ts';
import { rearrangeAll, recorderOf } from './record-points.ts';

/** Devices that are looked at in one go. */
const AT_A_TIME = 100;
/** How long it is remembered where a vehicle was parked, which is in no trip, to tell positions that are sent again. */
const PARKED_MS = 86_400_000;

/**
 * Closes the open trips of devices that have been silent for 15 minutes, and completes what a kill has interrupted. Any
 * number of servers may do so at a time. A trip that goes on later is opened again.
 */
export async function closeSilentTrips(): Promise<void> {
  const due = await DeviceModel.find(
    { 'care.until': { $lte: new Date() }, vehicle_key: { $ne: null } },
    'key account_key vehicle_key',
    { sight: EVERYTHING },
  )
    .limit(AT_A_TIME)
    .lean();
  for (const { key, account_key, vehicle_key } of due) {
    if (vehicle_key === null) continue;
    const recorder = recorderOf({ key, account_key, vehicle_key });
    await careFor({ key }, { sight: sightOfAccount(account_key), onlyIfDue: true }, async (isUnfinished) => {
      if (isUnfinished) await rearrangeAll(recorder);
      await closeOpenTrips(recorder);
      const isParked = await forgetMinutes(recorder, new Date(Date.now() - PARKED_MS));
      return { result: null, isHeard: false, dueIn: isParked ? PARKED_MS : null };
    });
  }
}

async function closeOpenTrips(recorder: Recorder): Promise<void> {
  const { sight, device_key } = recorder;
  const filter = { device_key, vehicle_key: sight.vehicle_key, 'recording.open': true };
  const open = await TripModel.find(filter, 'key start_point recording', { sight }).lean<
    Pick<StoredTrip, 'key' | 'start_point' | 'recording'>[]
  >();
  for (const { key, start_point, recording } of open) {
    if (!recording) continue;
    const points = await openTripPoints(recorder, { key, start: start_point.timestamp.getTime(), recording });
    const [piece] = cutRecording(points).pieces;
    if (piece) await closeTrip(recorder, key, piece);
  }
}
