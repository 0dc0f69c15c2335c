import { PrivacyZoneModel } from '../../models/vehicles/privacy-zone.ts';
import type { AccessScope } from '../../models/tenancy.ts';

/** Deletes a privacy zone in sight; what it hid is seen from the next request on. False where there is none. */
export async function deletePrivacyZone(accessScope: AccessScope, key: string): Promise<boolean> {
  const { deletedCount } = await PrivacyZoneModel.deleteOne({ key }).setOptions({ accessScope });
  return deletedCount > 0;
}
