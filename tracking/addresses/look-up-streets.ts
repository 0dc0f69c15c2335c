import type { Service } from '../../models/store/service.ts';
import { accountAccessScope, unrestricted } from '../../models/store/tenancy.ts';
import { type StoredTrip, TripStore } from '../../models/trips/trip.ts';
import { listPrivacyZones } from '../../models/vehicles/privacy-zone.ts';
import { tripsChanged } from '../../models/vehicles/vehicle.ts';
import type { Address, TripEnd } from '../../schema/trips/trip-end.ts';
import { isInZone, type Zone } from '../geometry/zone.ts';

import { geocodedPlace, geocoderOf } from './geocoder.ts';

/** Filter of the trips whose streets are to be looked up. */
export const WITH_STREETS_DUE = { streets_due: { $type: 'date' } } as const;

/** Maximum number of trips that wait for their streets; of more, the earliest stay without. */
export const MAX_DUE = 100_000;

/** Maximum number of trips of one call. */
const AT_ONCE = 500;

const FIELDS = 'key account_key vehicle_key start_point end_point pack streets_due';

type DueTrip = Pick<
  StoredTrip,
  'key' | 'account_key' | 'vehicle_key' | 'start_point' | 'end_point' | 'pack' | 'streets_due'
>;

/**
 * Looks up the streets at the ends of the trips for which it is due, 500 at most, the latest first, and stores them. Ends inside
 * privacy zones of their account are never asked for. If the geocoder fails, the current trip stays without streets.
 *
 * @throws Error if the geocoder failed
 */
export async function lookUpStreets(service: Service, signal: AbortSignal): Promise<void> {
  await giveUpEarliest(service);
  for (let count = 0; count < AT_ONCE && !signal.aborted; count++) {
    const due = { ...WITH_STREETS_DUE, staged: false };
    const [trip] = await TripStore.find(unrestricted(service), due, FIELDS).sort({ streets_due: -1 }).limit(1);
    if (trip === undefined) return;
    try {
      await storeStreets(service, trip, await addressesOf(service, trip, signal));
    } catch (error) {
      // The next process that looks up streets finds it again.
      if (signal.aborted) return;
      await storeStreets(service, trip, {});
      throw error;
    }
  }
}

async function giveUpEarliest(service: Service): Promise<void> {
  const latest = TripStore.find(unrestricted(service), WITH_STREETS_DUE, 'streets_due').sort({ streets_due: -1 });
  const [first] = await latest.skip(MAX_DUE).limit(1);
  if (!first) return;
  await TripStore.updateMany(
    unrestricted(service),
    { streets_due: { $lte: first.streets_due } },
    { streets_due: null },
  );
}

/** Addresses by the stored fields of ends. */
type FoundAddresses = { readonly [field: string]: Address };

async function addressesOf(service: Service, trip: DueTrip, signal: AbortSignal): Promise<FoundAddresses> {
  const zones = await listPrivacyZones(accountAccessScope(service, trip.account_key ?? ''));
  const found: Record<string, Address> = {};
  for (const name of ['start_point', 'end_point'] as const) {
    const address = await addressOf(service, trip[name], zones, signal);
    if (address) found[`${name}.address`] = address;
  }
  return found;
}

/** The address of an end; null if it has a street, must not be asked for, or is not known to the geocoder. */
async function addressOf(
  service: Service,
  { point, address }: TripEnd,
  zones: readonly Zone[],
  signal: AbortSignal,
): Promise<Address | null> {
  if (point === null || address?.street) return null;
  const place = geocodedPlace(point);
  const isPrivate = [point, place].some(({ lat, lon }) => zones.some((zone) => isInZone(zone, lat, lon)));
  const found = isPrivate ? null : ((await geocoderOf(service).geocoder?.addressAt(place, signal)) ?? null);
  return (
    found && {
      street: found.street,
      zipcode: found.zipcode,
      city: found.city ?? address?.city ?? null,
      state: found.state ?? address?.state ?? null,
      country: found.country ?? address?.country ?? null,
    }
  );
}

/** Stores what was found, unless the trip has changed since it was read: then it is due again. */
async function storeStreets(service: Service, trip: DueTrip, found: FoundAddresses): Promise<void> {
  const { key, account_key, vehicle_key, pack, streets_due, start_point, end_point } = trip;
  const asRead = {
    ...{ key, vehicle_key, pack, streets_due },
    'start_point.timestamp': start_point.timestamp,
    'end_point.timestamp': end_point.timestamp,
    // Those of positions that have expired meanwhile are not stored.
    point_count: { $gt: 0 },
  };
  const { matchedCount } = await TripStore.updateOne(unrestricted(service), asRead, { ...found, streets_due: null });
  if (matchedCount === 0)
    await TripStore.updateOne(unrestricted(service), { key, vehicle_key, streets_due }, { streets_due: null });
  else if (Object.keys(found).length > 0) await tripsChanged(service, account_key ?? '', [vehicle_key]);
}
