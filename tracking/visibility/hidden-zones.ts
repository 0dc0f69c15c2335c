import { accessScopeOf, actsAsOwner, type Caller } from '../../auth/caller.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { listPrivacyZones } from '../../models/vehicles/privacy-zone.ts';
import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';

import { batched } from '../scheduling/batched.ts';
import type { Service } from '../../models/store/service.ts';

/** The zones as {@link hiddenZones} finds them, once for all records of a list. */
export const zonesOfList = batched<'all', readonly PrivacyZone[]>(async ({ service, caller }, keys) => {
  const zones = await hiddenZones(service, caller);
  return keys.map(() => zones);
});

/** The zones that apply to a caller: all of the account, except for who acts as its owner. */
export async function hiddenZones(service: Service, caller: Caller): Promise<readonly PrivacyZone[]> {
  if (actsAsOwner(caller)) return [];
  return listPrivacyZones(accountAccessScope(service, accessScopeOf({ service, caller }).account_key));
}
