import { DeviceModel } from '../../models/vehicles/device.ts';
import { listPrivacyZones, stateOfZones } from '../../models/vehicles/privacy-zone.ts';
import { accountAccessScope } from '../../models/tenancy.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import { tripsChanged } from '../../models/vehicles/vehicle.ts';
import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';
import { isInZones } from '../geometry/zone.ts';

import type { RecordingDevice } from './leased-recorder.ts';

/** What recording positions has changed. */
export interface RecordedChange {
  /** Positions that were not known. */
  readonly fresh: TripPoints;
  /** These, and known ones that tell of more, or are in another trip than before. */
  readonly changed: TripPoints;
}

/**
 * Says of positions that were recorded what others than the owner may notice: nothing of those inside the account's privacy
 * zones. The zones are read once the positions are there, so that a zone that is deleted meanwhile is not counted on.
 */
export async function announceChanges(
  { key, account_key, vehicle_key }: RecordingDevice,
  { fresh, changed }: RecordedChange,
): Promise<void> {
  if (changed.length === 0) return;
  const accessScope = accountAccessScope(account_key);
  const zones = await listPrivacyZones(accessScope);
  if (changed.time.some((_, at) => !isInZones(zones, changed, at))) await tripsChanged(account_key, [vehicle_key]);
  const last = zones.length === 0 ? null : lastOutside(zones, fresh);
  if (last === null) return;
  const seen = { zones: stateOfZones(zones), at: new Date(Math.min(last, Date.now())) };
  const same = { key, 'seen_outside.zones': seen.zones };
  const { matchedCount } = await DeviceModel.updateOne(same, { $max: { 'seen_outside.at': seen.at } }).setOptions({
    accessScope,
  });
  if (matchedCount === 0) await DeviceModel.updateOne({ key }, { seen_outside: seen }).setOptions({ accessScope });
}

/** The time of the last position outside of all zones; null where there is none. */
function lastOutside(zones: readonly PrivacyZone[], points: TripPoints): number | null {
  const times = points.time.filter((_, at) => !isInZones(zones, points, at));
  return times.length === 0 ? null : times.reduce((last, time) => Math.max(last, time), -Infinity);
}
