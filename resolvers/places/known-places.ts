import { LRUCache } from 'lru-cache';

import { findStored, accountAccessScope } from '../../models/tenancy.ts';
import { PlaceModel, readPlacesRevision } from '../../models/places/place.ts';

import { type IndexedPlace, NO_PLACES, PlaceIndex } from './place-index.ts';

/** Accounts whose places are kept in memory. */
const MAX_ACCOUNTS = 1000;
/**
 * Time after which the places are read again, in milliseconds: a process that was killed between changing a place and
 * counting the change has not acknowledged it, but may be seen.
 */
const MAX_AGE_MS = 60_000;

/** The places of accounts: read once for all positions until they change. */
const known = new LRUCache<string, { readonly revision: number; readonly index: Promise<PlaceIndex> }>({
  max: MAX_ACCOUNTS,
  ttl: MAX_AGE_MS,
});

/** The places of an account as they were at a revision, or are now. No database command for an account that never had any. */
export async function placesAt(account_key: string, revision: number): Promise<PlaceIndex> {
  if (revision === 0) return NO_PLACES;
  const there = known.get(account_key);
  if (there && there.revision >= revision) return there.index;
  const index = readPlaces(account_key, revision);
  known.set(account_key, { revision, index });
  index.catch(() => known.delete(account_key));
  return index;
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
