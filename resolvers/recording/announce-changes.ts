import { DeviceModel } from '../../models/vehicles/device.ts';
import { listPrivacyZones, stateOfZones } from '../../models/vehicles/privacy-zone.ts';
import { accountAccessScope } from '../../models/tenancy.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import { tripsChanged } from '../../models/vehicles/vehicle.ts';
import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';
import { isInZones } from '../geometry/zone.ts';

import type { RecordingDevice } from './device-lease.ts';

/** Changes that recording positions made. */
export interface RecordedChange {
  readonly fresh: TripPoints;
  /** The fresh ones, and known ones that tell of more, or are in another trip than before. */
  readonly changed: TripPoints;
}

/**
 * Announces recorded positions outside the privacy zones, which others than the owner may notice. The zones are read
 * after the positions were stored, so that a zone that is deleted meanwhile hides nothing.
 */
export async function announceChanges(
  { key, account_key, vehicle_key }: RecordingDevice,
  recorded: readonly RecordedChange[],
): Promise<void> {
  if (recorded.every(({ changed }) => changed.length === 0)) return;
  const accessScope = accountAccessScope(account_key);
  const zones = await listPrivacyZones(accessScope);
  const outside = (points: TripPoints) => timesOutside(zones, points);
  if (recorded.some(({ changed }) => outside(changed).length > 0)) await tripsChanged(account_key, [vehicle_key]);
  if (zones.length === 0) return;
  const last = recorded
    .flatMap(({ fresh }) => [...outside(fresh)])
    .reduce((max, time) => Math.max(max, time), -Infinity);
  if (last === -Infinity) return;
  const seen = { zones: stateOfZones(zones), at: new Date(Math.min(last, Date.now())) };
  const same = { key, 'seen_outside.zones': seen.zones };
  const later = { $max: { 'seen_outside.at': seen.at } };
  const { matchedCount } = await DeviceModel.updateOne(same, later).setOptions({ accessScope });
  if (matchedCount === 0) await DeviceModel.updateOne({ key }, { seen_outside: seen }).setOptions({ accessScope });
}

/** The times of positions outside privacy zones. */
export function timesOutside(zones: readonly PrivacyZone[], points: TripPoints): Float64Array {
  return zones.length === 0 ? points.time : points.time.filter((_, at) => !isInZones(zones, points, at));
}
