import { DeviceStore, type DevicePosition } from '../../models/vehicles/device.ts';
import { listPrivacyZones, stateOfZones } from '../../models/vehicles/privacy-zone.ts';
import { type AccessScope, accountAccessScope } from '../../models/store/tenancy.ts';
import { mergeTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import { type OdometerReading, tripsChanged } from '../../models/vehicles/vehicle.ts';
import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';
import { isInZones } from '../geometry/zone.ts';

import { movedDevices } from './moved-devices.ts';
import { announceStoredPositions, isFollowed, noticePositions } from './position-notices.ts';
import type { RecordingDevice } from './device-lease.ts';
import { lastPosition } from './last-position.ts';
import type { Service } from '../../models/store/service.ts';

/** Changes that recording positions made. */
export interface RecordedChange {
  /** New ones whose places are believed. */
  readonly seen: TripPoints;
  /** These, and known ones with new events, or in another trip than before. */
  readonly changed: TripPoints;
}

/**
 * Announces recorded positions outside the privacy zones, which are visible to others than the owner. The zones are read
 * after the positions were stored, so that a zone that is deleted meanwhile hides nothing.
 */
export async function announceChanges(
  service: Service,
  { key, account_key, vehicle_key }: RecordingDevice,
  recorded: readonly RecordedChange[],
  odometer: OdometerReading | null,
): Promise<void> {
  if (recorded.every(({ changed }) => changed.length === 0)) return;
  const accessScope = accountAccessScope(service, account_key);
  const zones = await listPrivacyZones(accessScope);
  if (recorded.some(({ changed }) => timesOutside(zones, changed).length > 0)) {
    await tripsChanged(service, account_key, [vehicle_key], odometer ? [odometer] : []);
  }
  const seen = mergeTripPoints(recorded.map((one) => one.seen));
  const position = lastPosition(seen);
  if (position) await storeLater({ key }, 'position', position, accessScope);
  await storeSeenOutside(service, { key, account_key }, seen, zones);
  announceStoredPositions(service, account_key, [vehicle_key]);
  if (!isFollowed(service, account_key)) return;
  noticePositions(
    service,
    account_key,
    await movedDevices(service, account_key, [vehicle_key], { key }),
    stateOfZones(zones),
  );
}

/** Stores when and where a device was last outside the privacy zones, if positions change that. */
async function storeSeenOutside(
  service: Service,
  { key, account_key }: Pick<RecordingDevice, 'key' | 'account_key'>,
  fresh: TripPoints,
  zones: readonly PrivacyZone[],
): Promise<void> {
  const last = timesOutside(zones, fresh).at(-1);
  if (zones.length === 0 || last === undefined) return;
  const accessScope = accountAccessScope(service, account_key);
  const seen = { zones: stateOfZones(zones), at: new Date(Math.min(last, Date.now())), position: null };
  const same = { key, 'seen_outside.zones': seen.zones };
  const later = { $max: { 'seen_outside.at': seen.at } };
  const { matchedCount } = await DeviceStore.updateOne(accessScope, same, later);
  if (matchedCount === 0) await DeviceStore.updateOne(accessScope, { key }, { seen_outside: seen });
  const outside = lastPosition(fresh, zones);
  if (outside) await storeLater(same, 'seen_outside.position', outside, accessScope);
}

/** Stores a position of a device unless a later one is stored. */
async function storeLater(
  device: Readonly<Record<string, unknown>>,
  field: 'position' | 'seen_outside.position',
  position: DevicePosition,
  accessScope: AccessScope,
): Promise<void> {
  const isLater = { $or: [{ [field]: null }, { [`${field}.at`]: { $lt: position.at } }] };
  await DeviceStore.updateOne(accessScope, { ...device, ...isLater }, { [field]: position });
}

/** The times of positions outside privacy zones. */
export function timesOutside(zones: readonly PrivacyZone[], points: TripPoints): Float64Array {
  return zones.length === 0 ? points.time : points.time.filter((_, at) => !isInZones(zones, points, at));
}
