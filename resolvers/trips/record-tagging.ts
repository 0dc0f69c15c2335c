import type { AccessScope } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { insertVehicleEvents } from '../../models/vehicles/vehicle-event.ts';

/**
 * Stores that trips get tags, each trip that does not have all of them, as an event of its vehicle. Called before they are
 * stored, so that no tag lacks its event.
 */
export async function recordTagging(
  accessScope: AccessScope,
  tripKeys: readonly string[],
  tagKeys: readonly string[],
): Promise<void> {
  if (tagKeys.length === 0) return;
  const fields = 'key vehicle_key device_key';
  const isNew = { key: { $in: [...tripKeys] }, tag_keys: { $not: { $all: [...tagKeys] } } };
  const trips = await TripStore.find(accessScope, isNew, fields);
  const timestamp = new Date();
  await insertVehicleEvents(
    accessScope.service,
    trips.map(({ key, vehicle_key, device_key }) => ({
      event: 'trip_tagged',
      timestamp,
      account_key: accessScope.account_key,
      vehicle_key,
      device_key,
      trip_key: key,
    })),
  );
}
