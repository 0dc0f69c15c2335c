import { type Caller, accessScopeOf } from '../../auth/caller.ts';
import { accountAccessScope } from '../../models/tenancy.ts';
import { listPrivacyZones } from '../../models/vehicles/privacy-zone.ts';
import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';

/** The zones that are hidden from a caller: all of the account, from everybody but its owner. */
export async function hiddenZones(caller: Caller): Promise<readonly PrivacyZone[]> {
  if (caller.kind === 'owner') return [];
  return listPrivacyZones(accountAccessScope(accessScopeOf(caller).account_key));
}
