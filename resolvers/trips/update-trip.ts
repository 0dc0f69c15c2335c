import { type Caller, accessScopeOf } from '../../auth/caller.ts';
import { VisitModel } from '../../models/places/visit.ts';
import { type AccessScope, vehicleAccessScope } from '../../models/tenancy.ts';
import { type StoredTrip, TripModel } from '../../models/trips/trip.ts';
import { ServiceError } from '../../schema/service-error.ts';
import type { TripInput } from '../../schema/trips/trip-input.ts';

import { checkTagKeys } from '../input/check-tag-keys.ts';
import { checkDriver } from '../users/account-drivers.ts';
import { recordTagging } from './record-tagging.ts';

/**
 * Changes the tags and the driver of a trip that the caller sees; the visits that began on it get that driver too.
 *
 * @throws ServiceError BAD_REQUEST naming `tags` or `user_key`
 */
export async function updateTrip(
  caller: Caller,
  trip: { readonly key: string; readonly vehicle_key: string },
  { tags, user_key }: TripInput,
): Promise<void> {
  if (tags === null) throw new ServiceError('BAD_REQUEST', 'tags must be a list');
  const change = {
    ...(tags !== undefined && { tag_keys: await checkTagKeys(caller, 'tags', 'Trip', tags) }),
    ...(user_key !== undefined && { user_key: await checkDriver('user_key', user_key, accessScopeOf(caller)) }),
  };
  if (Object.keys(change).length === 0) return;
  const accessScope = vehicleAccessScope(accessScopeOf(caller), { key: trip.vehicle_key });
  await recordTagging(accessScope, [trip.key], change.tag_keys ?? []);
  const changed = await TripModel.findOneAndUpdate({ key: trip.key }, { $set: change }, { accessScope }).lean();
  if (changed && change.user_key !== undefined) await setDriverOfVisits(accessScope, changed, change.user_key);
}

async function setDriverOfVisits(
  accessScope: AccessScope,
  { device_key, start_point, end_point }: Pick<StoredTrip, 'device_key' | 'start_point' | 'end_point'>,
  driver_key: string | null,
): Promise<void> {
  if (device_key === null) return;
  const entry_timestamp = { $gte: start_point.timestamp, $lte: end_point.timestamp };
  await VisitModel.updateMany({ device_key, entry_timestamp }, { driver_key }).setOptions({ accessScope });
}
