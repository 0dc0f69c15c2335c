import { AccountStore } from '../../models/account/account.ts';
import type { Service } from '../../models/store/service.ts';
import type { OneUpdate } from '../../models/store/store.ts';
import { type AccessScope, accountAccessScope, tripsAccessScope, unrestricted } from '../../models/store/tenancy.ts';
import { OF_ALL_VEHICLES, type StoredTrip, TripStore } from '../../models/trips/trip.ts';
import { tripsChanged } from '../../models/vehicles/vehicle.ts';

import { MAX_DUE, WITH_STREETS_DUE } from './look-up-streets.ts';
import { addressAt } from './trip-addresses.ts';

/** Number of trips that one command reads and changes, so that no request waits long for it. */
const AT_ONCE = 200;

const FIELDS = 'key vehicle_key start_point end_point pack streets_due';

/** Ended trips an end of which has no address, or for a geocoder no street. */
function pendingTrips(service: Service) {
  const field = service.settings.geocoderUrl === null ? 'address' : 'address.street';
  return {
    ...OF_ALL_VEHICLES,
    ...{ staged: false, point_count: { $gt: 0 }, 'recording.open': { $ne: true } },
    $or: [{ [`start_point.${field}`]: null }, { [`end_point.${field}`]: null }],
  };
}

/** Counts of what a call has done so far. */
export interface AddedAddresses {
  /** Trips that lacked an address, or a street. */
  trip_count: number;
  /** Of these, trips an end of which has been given its address. */
  addressed_count: number;
  /** Of these, trips of whose ends the service will look up the streets. */
  streets_due_count: number;
}

/** Counts the trips for {@link addAddresses}. */
export function countPending(service: Service): Promise<number> {
  return TripStore.countDocuments(unrestricted(service), pendingTrips(service));
}

/**
 * Adds addresses to trips that were stored without them, of each account the latest first. A call that was interrupted is
 * completed by the next. With a geocoder, their streets are due as well, of as many trips as may wait.
 *
 * @param onProgress called after each batch
 */
export async function addAddresses(
  service: Service,
  onProgress: (added: Readonly<AddedAddresses>) => void,
): Promise<AddedAddresses> {
  const added: AddedAddresses = { trip_count: 0, addressed_count: 0, streets_due_count: 0 };
  const isAsked = service.settings.geocoderUrl !== null;
  let room = isAsked ? MAX_DUE - (await TripStore.countDocuments(unrestricted(service), WITH_STREETS_DUE)) : 0;
  const change = async (accessScope: AccessScope, trips: readonly StoredTrip[]) => {
    const changes = trips.map((trip, at) => ({ trip, update: updateOf(trip, at < room) }));
    const dueCount = Math.min(trips.length, Math.max(0, room));
    room -= dueCount;
    await store(accessScope, changes);
    added.trip_count += trips.length;
    added.addressed_count += changes.filter(({ update }) => hasAddress(update)).length;
    added.streets_due_count += dueCount;
    onProgress(added);
  };
  for (const { key } of await AccountStore.find(unrestricted(service), {}, 'key')) {
    const accessScope = tripsAccessScope(accountAccessScope(service, key), null);
    const pending = TripStore.find(accessScope, pendingTrips(service), FIELDS);
    let batch: StoredTrip[] = [];
    for await (const trip of pending.sort({ 'start_point.timestamp': -1, key: -1 }).batchSize(AT_ONCE).cursor()) {
      if (batch.push(trip) < AT_ONCE) continue;
      await change(accessScope, batch);
      batch = [];
    }
    await change(accessScope, batch);
  }
  return added;
}

/** The fields to change. Streets of later trips are looked up first, as if they had been due when they ended. */
function updateOf({ start_point, end_point, streets_due }: StoredTrip, isStreetDue: boolean): Record<string, unknown> {
  const ends = Object.entries({ start_point, end_point }).flatMap(([name, { point, address }]) => {
    const found = address === null && point !== null ? addressAt(point) : null;
    return found === null ? [] : [[`${name}.address`, found]];
  });
  return {
    ...Object.fromEntries(ends),
    ...(isStreetDue && { streets_due: streets_due ?? end_point.timestamp }),
  };
}

function hasAddress(update: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(update).some((name) => name.endsWith('.address'));
}

interface TripChange {
  readonly trip: StoredTrip;
  readonly update: Readonly<Record<string, unknown>>;
}

/** Stores the changes of trips that have not changed since they were read. */
async function store(accessScope: AccessScope, changes: readonly TripChange[]): Promise<void> {
  const updates = changes.flatMap(({ trip, update }): OneUpdate[] => {
    const { key, vehicle_key, pack, start_point, end_point } = trip;
    const ends = { 'start_point.timestamp': start_point.timestamp, 'end_point.timestamp': end_point.timestamp };
    const filter = { key, vehicle_key, pack, ...ends, point_count: { $gt: 0 } };
    return Object.keys(update).length === 0 ? [] : [{ filter, update: { $set: update } }];
  });
  if (updates.length === 0) return;
  await TripStore.updateEach(accessScope, updates);
  const vehicles = new Set(changes.map(({ trip }) => trip.vehicle_key));
  await tripsChanged(accessScope.service, accessScope.account_key, [...vehicles]);
}
