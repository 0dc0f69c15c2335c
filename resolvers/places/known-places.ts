import { findStored, accountAccessScope } from '../../models/tenancy.ts';
import { PlaceModel, readPlacesRevision } from '../../models/places/place.ts';

import { RevisedCache } from '../revisions/revised-cache.ts';
import { type IndexedPlace, NO_PLACES, PlaceIndex } from './place-index.ts';

const known = new RevisedCache(readPlaces, NO_PLACES);

/** The places of an account as they were at a revision, or are now. No database command for an account that never had any. */
export function placesAt(account_key: string, revision: number): Promise<PlaceIndex> {
  return known.at(account_key, revision);
}

/** The places of an account as they are now. */
export async function placesNow(account_key: string): Promise<PlaceIndex> {
  return placesAt(account_key, await readPlacesRevision(accountAccessScope(account_key)));
}

const PROJECTION = {
  _id: 0,
  key: 1,
  name: 1,
  point: 1,
  radius: 1,
  polygon: 1,
  area_since: 1,
  former_areas: 1,
} as const;

async function readPlaces(account_key: string, revision: number): Promise<PlaceIndex> {
  const options = { projection: PROJECTION, batchSize: 1000 };
  const found = await findStored(PlaceModel, accountAccessScope(account_key), {}, options).toArray();
  return new PlaceIndex(revision, found as unknown as IndexedPlace[]);
}
