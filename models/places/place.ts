import { Place } from '../../schema/places/place.ts';

import { AccountStore } from '../account/account.ts';
import { COUNTING, storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, type DocumentOf, nested, nullable, POINT, required } from '../store/stored-fields.ts';
import { type AccessScope, accountAccessScope } from '../store/tenancy.ts';
import type { Service } from '../store/service.ts';

const FORMER_AREA = {
  point: nullable(POINT),
  radius: nullable(Number),
  polygon: required([POINT]),
  // Before these fields, the first position outside ended a visit.
  border_meters: defaulting(Number, 0),
  border_seconds: defaulting(Number, 0),
  dwell_seconds: defaulting(Number, 0),
  /** The area applies to positions from this time on. */
  since: required(Date),
  /** The area applies to positions before this time. */
  until: required(Date),
};

/** An area that a place had before it was moved, or its border changed. */
export type FormerArea = DocumentOf<typeof FORMER_AREA>;

/** Places. A position is in a place by the area that the place had at the time of the position. */
export const PlaceStore = storeOf(Place, {
  collection: 'places',
  tenancy: 'account',
  logged: { kind: 'place' },
  hidden: {
    account_key: required(String),
    /** The current area of the place applies to positions from this time on. */
    area_since: required(Date),
    /** Areas that it had before, in order. */
    former_areas: defaulting([nested(FORMER_AREA)], []),
  },
  indexes: [[{ account_key: 1, _id: 1 }], [{ account_key: 1 }, COUNTING]],
});

/** A place as it is read from the database. */
export type StoredPlace = StoredIn<typeof PlaceStore>;

/** Records that places of an account have changed, after the write. */
export async function placesChanged(service: Service, account_key: string): Promise<void> {
  const accessScope = accountAccessScope(service, account_key);
  await AccountStore.updateEach(accessScope, [{ filter: {}, update: { $inc: { places_revision: 1 } } }]);
}

/** Number of changes of the places of an account; 0 if it never had any. */
export async function readPlacesRevision(accessScope: AccessScope): Promise<number> {
  const account = await AccountStore.findOne(accessScope, {}, 'places_revision');
  return account?.places_revision ?? 0;
}
