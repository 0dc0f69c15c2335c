import { fillDefaults } from '../../models/store/defaults-on-read.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { PlaceStore, readPlacesRevision } from '../../models/places/place.ts';

import { BY_REVISION, StampedCache } from '../../models/stamped-cache.ts';
import type { IndexedPlace } from './place-area.ts';
import { NO_PLACES, PlaceIndex } from './place-index.ts';
import { type Service, perService } from '../../models/store/service.ts';

const known = perService(() => new StampedCache<PlaceIndex, number>(BY_REVISION));

/** The places of an account as they were at a revision, or are now. No database command for an account that never had any. */
export async function placesAt(service: Service, account_key: string, revision: number): Promise<PlaceIndex> {
  if (revision === 0) return NO_PLACES;
  return known(service).get(account_key, revision, () => readPlaces(service, account_key, revision));
}

/** The places of an account as they are now. */
export async function placesNow(service: Service, account_key: string): Promise<PlaceIndex> {
  return placesAt(service, account_key, await readPlacesRevision(accountAccessScope(service, account_key)));
}

const PROJECTION = {
  _id: 0,
  key: 1,
  name: 1,
  point: 1,
  radius: 1,
  polygon: 1,
  border_meters: 1,
  border_seconds: 1,
  dwell_seconds: 1,
  area_since: 1,
  former_areas: 1,
} as const;

async function readPlaces(service: Service, account_key: string, revision: number): Promise<PlaceIndex> {
  const options = { projection: PROJECTION, batchSize: 1000 };
  const found = await PlaceStore.findStored(accountAccessScope(service, account_key), {}, options).toArray();
  fillDefaults(PlaceStore.schema, found, PROJECTION);
  return new PlaceIndex(revision, found as unknown as IndexedPlace[]);
}
