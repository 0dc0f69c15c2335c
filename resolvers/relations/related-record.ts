import DataLoader from 'dataloader';

import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { UserStore } from '../../models/account/user.ts';
import { PlaceStore } from '../../models/places/place.ts';
import { RuleStore } from '../../models/rules/rule.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';

import { presentDevices } from '../devices/device-presence.ts';
import { groupsByKey } from '../groups/group-resolver.ts';
import { recordsByKey } from '../../models/lookup/records-by-key.ts';
import { tripsByKey } from '../trips/list-trips.ts';
import { relatedTrips } from '../trips/trip-relations.ts';
import { completeUsers } from '../users/complete-users.ts';
import { completeVehicles, READ_TOO } from '../vehicles/complete-vehicles.ts';

/** A record with a key. */
export interface Keyed {
  readonly key: string;
}

/** Reads the records with some keys that a caller sees. */
type Read = (context: RequestContext, key: { readonly $in: readonly string[] }) => Promise<readonly Keyed[]>;

const ANY_ORDER = { sort: {} };
/** Fields of trips that are read: what is selected of one may differ from what is selected of another. */
const ALL_FIELDS = { _id: 0 } as const;

/** Readers of records by their keys, by the name of the root field that finds one. */
const READS = {
  device: async (context, key) => {
    const query = { accessScope: accessScopeOf(context), filter: { key }, hidden: ['seen_outside'] as const };
    return presentDevices(context.service, context.caller, await DeviceStore.readShown(query, ANY_ORDER));
  },
  group: (context, { $in }) => groupsByKey($in, context),
  place: (context, key) => {
    return PlaceStore.readShown({ accessScope: accessScopeOf(context), filter: { key } }, ANY_ORDER);
  },
  rule: (context, key) => {
    return RuleStore.readShown({ accessScope: accessScopeOf(context), filter: { key } }, ANY_ORDER);
  },
  trip: async (context, { $in }) => {
    const trips = await tripsByKey(context, $in, ALL_FIELDS);
    return relatedTrips(context.service, accessScopeOf(context).account_key, trips);
  },
  user: async (context, key) => {
    const accessScope = accessScopeOf(context);
    const query = { accessScope, filter: { key }, hidden: ['tag_keys'] as const };
    return completeUsers(await UserStore.readShown(query, ANY_ORDER), accessScope);
  },
  vehicle: async (context, key) => {
    const query = { accessScope: accessScopeOf(context), filter: { key }, hidden: READ_TOO };
    return completeVehicles(context.service, context.caller, await VehicleStore.readShown(query, ANY_ORDER));
  },
} satisfies Readonly<Record<string, Read>>;

/** Root field that finds a record by its key. */
export type Found = keyof typeof READS;

/** Reads the records with some keys that a caller sees, each kind by one query. */
export function readByKeys(found: Found, context: RequestContext, keys: readonly string[]): Promise<readonly Keyed[]> {
  return READS[found](context, { $in: keys });
}

/** A record of an answer, whose fields hold keys of others. */
export type Naming = Readonly<Record<string, unknown>>;

/** Records that a request has read by keys, and the lists for which it has done so. */
class RelatedRecords {
  readonly #loader: DataLoader<string, Keyed | null>;
  readonly #lists = new WeakSet<readonly Naming[]>();

  constructor(context: RequestContext, read: Read) {
    this.#loader = new DataLoader((keys) => readInOrder(context, read, keys));
  }

  find(key: string, list: readonly Naming[], by: string): Promise<Keyed | null> {
    if (!this.#lists.has(list)) {
      this.#lists.add(list);
      this.#loader.loadMany(list.map((record) => record[by]).filter((named) => typeof named === 'string'));
    }
    return this.#loader.load(key);
  }
}

const ofRequests = new WeakMap<RequestContext, Map<Found, RelatedRecords>>();

/**
 * Finds a record that another names, and by the same query those that the others in a list name; null if the caller sees
 * none.
 *
 * @param by the field that holds the key
 */
export function relatedRecord(
  context: RequestContext,
  found: Found,
  key: string,
  { list, by }: { readonly list: readonly Naming[]; readonly by: string },
): Promise<Keyed | null> {
  const ofRequest = ofRequests.get(context) ?? new Map<Found, RelatedRecords>();
  ofRequests.set(context, ofRequest);
  const related = ofRequest.get(found) ?? new RelatedRecords(context, READS[found]);
  ofRequest.set(found, related);
  return related.find(key, list, by);
}

async function readInOrder(context: RequestContext, read: Read, keys: readonly string[]): Promise<(Keyed | null)[]> {
  const records = await recordsByKey(keys, (key) => read(context, key));
  return keys.map((key) => records.get(key) ?? null);
}
