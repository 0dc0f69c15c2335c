import { changeOfUser } from '../../models/store/logged-model.ts';
import { VisitStore } from '../../models/places/visit.ts';
import { type AccessScope, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { type StoredTrip, TripStore } from '../../models/trips/trip.ts';
import { ServiceError } from '../../schema/service-error.ts';
import type { TripInput } from '../../schema/trips/trip-input.ts';

import { checkTagKeys } from '../../models/lookup/check-tag-keys.ts';
import { checkDriver } from '../../models/lookup/account-drivers.ts';
import { insertVehicleEvents } from '../../models/vehicles/vehicle-event.ts';

/**
 * Changes the tags and the driver of a trip that the caller sees; the visits that began on it get that driver too.
 *
 * @throws ServiceError BAD_REQUEST naming `tags` or `user_key`
 */
export async function updateTrip(
  callerScope: AccessScope,
  trip: { readonly key: string; readonly vehicle_key: string },
  { tags, user_key }: TripInput,
): Promise<void> {
  if (tags === null) throw new ServiceError('BAD_REQUEST', 'tags must be a list');
  const tag_keys = tags === undefined ? undefined : await checkTagKeys(callerScope, 'tags', 'Trip', tags);
  const driver = user_key === undefined ? undefined : await checkDriver('user_key', user_key, callerScope);
  const accessScope = vehicleAccessScope(callerScope, { key: trip.vehicle_key });
  await recordTagging(accessScope, [trip.key], tag_keys ?? []);
  const change = tag_keys && { tag_keys };
  if (driver !== undefined) await setDriver(accessScope, trip.key, driver, change);
  else if (change) await TripStore.updateOne(accessScope, { key: trip.key }, { $set: change });
}

/** Changes the driver of a trip, and notes the one before, also if others change it meanwhile. */
async function setDriver(
  accessScope: AccessScope,
  key: string,
  driver: string | null,
  change: { readonly tag_keys: readonly string[] } | undefined,
): Promise<void> {
  for (;;) {
    const trip = await TripStore.findOne(accessScope, { key }, 'user_key');
    if (!trip) return;
    const { user_key = null } = trip;
    const { $set, ...noted } = changeOfUser('user_key', user_key, driver);
    const update = { $set: { ...change, ...$set }, ...noted };
    const changed = await TripStore.findOneAndUpdate(accessScope, { key, user_key }, update);
    if (changed) return setDriverOfVisits(accessScope, changed, driver);
  }
}

async function setDriverOfVisits(
  accessScope: AccessScope,
  { device_key, start_point, end_point }: Pick<StoredTrip, 'device_key' | 'start_point' | 'end_point'>,
  driver_key: string | null,
): Promise<void> {
  if (device_key === null) return;
  const visits = { device_key, entry_timestamp: { $gte: start_point.timestamp, $lte: end_point.timestamp } };
  const found = await VisitStore.find(accessScope, visits, 'driver_key');
  for (const former of new Set(found.map((visit) => visit.driver_key))) {
    const update = changeOfUser('driver_key', former, driver_key);
    await VisitStore.updateMany(accessScope, { ...visits, driver_key: former }, update);
  }
}

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
