import { accountAccessScope } from '../../models/store/tenancy.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import type { Driver } from '../../schema/account/driver.ts';
import type { Tag } from '../../schema/account/tag.ts';
import type { TripVehicle } from '../../schema/trips/trip.ts';

import { recordsByKey } from '../../models/lookup/records-by-key.ts';
import { tagsByKey } from '../../models/lookup/tags-by-key.ts';
import { placesNow } from '../../tracking/areas/known-places.ts';
import { driversByKey } from '../../models/lookup/account-drivers.ts';
import type { TripView } from '../../tracking/views/trip-view.ts';
import { once } from '../../schema/once.ts';
import type { Service } from '../../models/store/service.ts';

type ByKey<Found> = () => Promise<ReadonlyMap<string, Found>>;

/** Drivers, vehicles, tags and places of the trips of an answer, each read by one query. Who sees a trip sees their names. */
export interface TripRelations {
  readonly users: ByKey<Driver>;
  readonly vehicles: ByKey<TripVehicle>;
  readonly tags: ByKey<Tag>;
}

/** A trip of an answer, with the records to which it refers. */
export interface RelatedTrip extends TripView {
  readonly relations: TripRelations;
}

/** Adds to the trips of an answer the records to which they refer; nothing is read before it is asked for. */
export function relatedTrips(service: Service, accountKey: string, trips: readonly TripView[]): RelatedTrip[] {
  const accessScope = accountAccessScope(service, accountKey);
  const relations: TripRelations = {
    users: once(() =>
      driversByKey(
        service,
        accountKey,
        trips.map(({ user_key }) => user_key),
      ),
    ),
    vehicles: once(() =>
      recordsByKey(
        trips.map(({ vehicle_key }) => vehicle_key),
        (key) => VehicleStore.find(accessScope, { key }, { key: 1, nickname: 1 }),
      ),
    ),
    tags: once(() => tagsByKey(service, accountKey, trips)),
  };
  const places = once(() => placesNow(service, accountKey));
  for (const { start_point, end_point } of trips) {
    for (const end of [start_point, end_point]) Object.assign(end, { place: async () => (await places()).ofEnd(end) });
  }
  return trips.map((trip) => Object.assign(trip, { relations }));
}
