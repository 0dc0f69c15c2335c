import { PrivacyZoneStore } from '../../models/vehicles/privacy-zone.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';

/** Deletes a privacy zone in sight; what it hid is seen from the next request on. False where there is none. */
export async function deletePrivacyZone(accessScope: AccessScope, key: string): Promise<boolean> {
  const { deletedCount } = await PrivacyZoneStore.deleteOne(accessScope, { key });
  return deletedCount > 0;
}
