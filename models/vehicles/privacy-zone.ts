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
    /** Number of changes of what it hides. */
    revision: defaulting(Number, 0),
  },
  indexes: [[{ account_key: 1, _id: 1 }]],
});

/** A zone as far as it hides positions: its area, its effect on trips, and how often these were changed. */
export type HidingZone = Pick<PrivacyZone, 'key' | 'point' | 'radius_meters' | 'trips'> & {
  readonly revision?: number;
};

/** The privacy zones of the account of an access scope, in order of creation. */
export function listPrivacyZones(accessScope: AccessScope): Promise<PrivacyZone[]> {
  return PrivacyZoneStore.find(accessScope).sort({ _id: 1 }).exec();
}

/** Returns true if a zone hides every trip that comes into it. */
export function hidesTrips({ trips }: Pick<PrivacyZone, 'trips'>): boolean {
  return trips === 'hide';
}

/**
 * Names what some zones of an account hide, in few bytes. A zone that was deleted and made again is another one, and so is one
 * that was moved and came back: what was worked out meanwhile is not taken for what it hides.
 */
export function stateOfZones(zones: readonly HidingZone[]): string {
  const all = zones.map(({ key, point, radius_meters, trips, revision = 0 }) =>
    JSON.stringify([key, point.lat, point.lon, radius_meters, trips, ...(revision === 0 ? [] : [revision])]),
  );
  return createHash('sha256').update(JSON.stringify(all.toSorted())).digest('base64url');
}
