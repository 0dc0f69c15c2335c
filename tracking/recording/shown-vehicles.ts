import { listPrivacyZones } from '../../models/vehicles/privacy-zone.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';

import { timesOutside } from './last-position.ts';
import type { Service } from '../../models/store/service.ts';

/** Positions of a device that are new, or in another trip than before. */
export interface ChangedPositions {
  readonly vehicle_key: string;
  readonly points: TripPoints;
}

/**
 * The vehicles with changed positions outside the privacy zones. If zones hide all those of a vehicle, they are read again after the
 * positions were stored, so that a zone that is deleted meanwhile hides nothing.
 *
 * @param zones the zones, as they were read before
 */
export async function shownVehicles(
  service: Service,
  account_key: string,
  changed: readonly ChangedPositions[],
  zones: readonly PrivacyZone[],
): Promise<readonly string[]> {
  const isOutside = (those: readonly PrivacyZone[]) => (one: ChangedPositions) =>
    timesOutside(those, one.points).length > 0;
  let outside = changed.filter(isOutside(zones));
  if (outside.length < changed.length)
    outside = changed.filter(isOutside(await listPrivacyZones(accountAccessScope(service, account_key))));
  return [...new Set(outside.map(({ vehicle_key }) => vehicle_key))];
}
