import { createHash } from 'node:crypto';

import { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';

import { storeOf } from '../store/store-of.ts';
import { defaulting, required } from '../store/stored-fields.ts';
import type { AccessScope } from '../store/tenancy.ts';

/** Privacy zones. */
export const PrivacyZoneStore = storeOf(PrivacyZone, {
  collection: 'privacy_zones',
  tenancy: 'account',
  decides: ['revision'],
  logged: { kind: 'privacy_zone' },
  hidden: {
    account_key: required(String),
    /** Number of changes of its area or effect. */
    revision: defaulting(Number, 0),
  },
  indexes: [[{ account_key: 1, _id: 1 }]],
});

/** The part of a zone that hides positions: its area, its effect on trips, and the number of their changes. */
export type HidingZone = Pick<PrivacyZone, 'key' | 'point' | 'radius_meters' | 'trips'> & {
  readonly revision?: number;
};

/** The privacy zones of the account of an access scope, in order of creation. */
export function listPrivacyZones(accessScope: AccessScope): Promise<PrivacyZone[]> {
  return PrivacyZoneStore.find(accessScope).sort({ _id: 1 }).exec();
}

/** Returns true if a zone hides every trip that enters it. */
export function hidesTrips({ trips }: Pick<PrivacyZone, 'trips'>): boolean {
  return trips === 'hide';
}

/**
 * Names the state of an account's zones in few bytes. It differs after a zone was deleted and created again, or moved away
 * and back, so that results computed meanwhile are not used.
 */
export function stateOfZones(zones: readonly HidingZone[]): string {
  const all = zones.map(({ key, point, radius_meters, trips, revision = 0 }) =>
    JSON.stringify([key, point.lat, point.lon, radius_meters, trips, ...(revision === 0 ? [] : [revision])]),
  );
  return createHash('sha256').update(JSON.stringify(all.toSorted())).digest('base64url');
}
