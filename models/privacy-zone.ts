import { PrivacyZone } from '../schema/privacy-zone.ts';

import { modelOf } from './model-of.ts';
import type { Sight } from './tenancy.ts';

/** Fields of a privacy zone that never leave. */
interface PrivacyZoneHidden {
  readonly account_key: string;
}

/** Privacy zones. */
export const PrivacyZoneModel = modelOf<PrivacyZone, PrivacyZoneHidden>(PrivacyZone, {
  collection: 'privacy_zones',
  tenancy: 'account',
  hidden: { account_key: { type: String, required: true } },
  indexes: [[{ account_key: 1, _id: 1 }]],
});

/** The privacy zones of the account of `sight`, in order of creation. */
export function listPrivacyZones(sight: Sight): Promise<PrivacyZone[]> {
  return PrivacyZoneModel.find({}, null, { sight }).sort({ _id: 1 }).lean<PrivacyZone[]>().exec();
}
