import { PrivacyZoneModel } from '../../models/privacy-zone.ts';
import type { Sight } from '../../models/tenancy.ts';
import type { PrivacyZone } from '../../schema/privacy-zone.ts';

/** The privacy zones of the account of `sight`, in order of creation. */
export function listPrivacyZones(sight: Sight): Promise<PrivacyZone[]> {
  return PrivacyZoneModel.find({}, null, { sight }).sort({ _id: 1 }).lean<PrivacyZone[]>().exec();
}
