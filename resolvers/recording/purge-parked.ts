import { purgeMinutes } from '../../models/trips/device-minute.ts';

import type { LeasedRecorder } from './leased-recorder.ts';
import { openTrips } from './recorded-trips.ts';

/** Retention of positions of a parked vehicle, which are in no trip, to recognise repeats; in milliseconds. */
export const PARKED_MS = 86_400_000;

/** Deletes positions of a parked vehicle after a day; none while a trip is open, whose positions are in minutes as well. */
export async function purgeParked(recorder: LeasedRecorder): Promise<void> {
  if ((await openTrips(recorder, 1)).length > 0) return;
  await purgeMinutes(recorder, new Date(Date.now() - PARKED_MS));
}
