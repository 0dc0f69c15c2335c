import { purgeMinutes } from '../../models/trips/device-minute.ts';

import type { LeasedRecorder } from './leased-recorder.ts';
import { openTrips } from './recorded-trips.ts';

/** How long it is remembered where a vehicle was parked, which is in no trip, to tell positions that are sent again. */
export const PARKED_MS = 86_400_000;

/** Forgets where a vehicle was parked, a day later; nothing while a trip is open, whose positions are in minutes as well. */
export async function purgeParked(recorder: LeasedRecorder): Promise<void> {
  if ((await openTrips(recorder, 1)).length > 0) return;
  await purgeMinutes(recorder, new Date(Date.now() - PARKED_MS));
}
