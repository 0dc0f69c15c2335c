import { createHash } from 'node:crypto';

import { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';

import { modelOf } from '../model-of.ts';
import { required } from '../stored-fields.ts';
import type { AccessScope } from '../tenancy.ts';

/** Privacy zones. */
export const PrivacyZoneModel = modelOf(PrivacyZone, {
  collection: 'privacy_zones',
  tenancy: 'account',
  decides: [],
  logged: { kind: 'privacy_zone' },
  hidden: { account_key: required(String) },
  indexes: [[{ account_key: 1, _id: 1 }]],
});

/** A zone as far as it hides positions: its area, and its effect on trips. */
export type HidingZone = Pick<PrivacyZone, 'key' | 'point' | 'radius_meters' | 'trips'>;

/** The privacy zones of the account of an access scope, in order of creation. */
export function listPrivacyZones(accessScope: AccessScope): Promise<PrivacyZone[]> {
  return PrivacyZoneModel.find({}, null, { accessScope }).sort({ _id: 1 }).lean<PrivacyZone[]>().exec();
}

/** Tells whether a zone hides every trip that comes into it. */
export function hidesTrips({ trips }: Pick<PrivacyZone, 'trips'>): boolean {
  return trips === 'hide';
}

/**
 * Names what some zones of an account hide, in few bytes. A zone that was deleted and made again is another one: what was
 * worked out while it was not there is not taken for what it hides.
 */
export function stateOfZones(zones: readonly HidingZone[]): string {
  const all = zones.map(({ key, point, radius_meters, trips }) =>
    JSON.stringify([key, point.lat, point.lon, radius_meters, trips]),
  );
  return createHash('sha256').update(JSON.stringify(all.toSorted())).digest('base64url');
}
