import { newKey } from '../../models/key.ts';
import { permissionsChanged } from '../../models/store/permission-stamp.ts';
import { PrivacyZoneStore } from '../../models/vehicles/privacy-zone.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { type PrivacyZone, type PrivacyZoneInput, ZoneTrips } from '../../schema/vehicles/privacy-zone.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { checkName } from '../../schema/check-name.ts';
import { checkCircle } from './check-circle.ts';

/** Zones an account may have; each is looked at for every trip that leaves. */
const MAX_ZONES = 100;

/**
 * Creates a privacy zone, for past trips too, from now on.
 *
 * @throws ServiceError BAD_REQUEST naming a parameter
 */
export async function createPrivacyZone(accessScope: AccessScope, input: PrivacyZoneInput): Promise<PrivacyZone> {
  const { lat, lon, radius_meters } = input;
  checkCircle({ lat, lon, radius_meters });
  const trips = input.trips ?? ZoneTrips.cut;
  const name = input.name == null ? null : checkName('name', input.name);
  if (!(await hasAtMost(accessScope, MAX_ZONES - 1))) throw tooMany();
  const zone = { key: newKey(), name, point: { lat, lon }, radius_meters, trips, created: new Date() };
  await PrivacyZoneStore.create(accessScope, { ...zone, account_key: accessScope.account_key });
  // Of those who found room at once, the last to look finds the others there too.
  if (await hasAtMost(accessScope, MAX_ZONES)) {
    await permissionsChanged(accessScope.service);
    return zone;
  }
  await PrivacyZoneStore.deleteOne(accessScope, { key: zone.key });
  throw tooMany();
}

async function hasAtMost(accessScope: AccessScope, max: number): Promise<boolean> {
  return (await PrivacyZoneStore.countDocuments(accessScope)) <= max;
}

function tooMany(): ServiceError {
  return new ServiceError('BAD_REQUEST', `An account has at most ${MAX_ZONES} privacy zones`);
}
