import type { AccessScope } from '../../models/store/tenancy.ts';
import { PrivacyZoneStore } from '../../models/vehicles/privacy-zone.ts';
import type { PrivacyZone, PrivacyZoneChange } from '../../schema/vehicles/privacy-zone.ts';
import { notFound } from '../../schema/service-error.ts';

import { checkName } from '../../schema/check-name.ts';
import { rejectNull } from '../input/reject-null.ts';
import { checkCircle } from './check-circle.ts';

/**
 * Changes the given fields of a privacy zone by one write, for past trips too, from now on.
 *
 * @throws ServiceError NOT_FOUND, or BAD_REQUEST naming a parameter
 */
export async function updatePrivacyZone(
  accessScope: AccessScope,
  key: string,
  input: PrivacyZoneChange,
): Promise<PrivacyZone> {
  rejectNull(input, ['lat', 'lon', 'radius_meters', 'trips']);
  const { lat, lon, radius_meters, trips, name } = input;
  checkCircle({ lat, lon, radius_meters });
  const hidden = {
    ...(lat !== undefined && { 'point.lat': lat }),
    ...(lon !== undefined && { 'point.lon': lon }),
    ...(radius_meters !== undefined && { radius_meters }),
    ...(trips !== undefined && { trips }),
  };
  const named = name === undefined ? {} : { name: name === null ? null : checkName('name', name) };
  const hidesOthers = Object.keys(hidden).length > 0;
  const change = { $set: { ...hidden, ...named }, ...(hidesOthers && { $inc: { revision: 1 } }) };
  const zone = await PrivacyZoneStore.findOneAndUpdate(accessScope, { key }, change, {
    returnDocument: 'after',
  });
  if (!zone) throw notFound('privacy zone');
  return zone;
}
