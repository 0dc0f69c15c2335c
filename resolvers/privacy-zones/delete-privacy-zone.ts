import { PrivacyZoneModel } from '../../models/vehicles/privacy-zone.ts';
import { type AccessScope, UNRESTRICTED } from '../../models/tenancy.ts';
import { ServiceError } from '../../schema/service-error.ts';

/** Deletes a privacy zone in sight; what it hid is seen from the next request on. False where there is none. */
export async function deletePrivacyZone(accessScope: AccessScope | typeof UNRESTRICTED, key: string): Promise<boolean> {
  const { deletedCount } = await PrivacyZoneModel.deleteOne({ key }).setOptions({ accessScope });
  return deletedCount > 0;
}

/**
 * Deletes a privacy zone of any account.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter `zone`
 */
export async function deleteAnyPrivacyZone(key: string): Promise<void> {
  if (await deletePrivacyZone(UNRESTRICTED, key)) return;
  throw new ServiceError('BAD_REQUEST', 'zone must be the key of a privacy zone; privacy-zone list shows them');
}
