import { accountAccessScope, tripsAccessScope } from '../../models/store/tenancy.ts';
import { type StoredTrip, TripStore } from '../../models/trips/trip.ts';

import { awaitArrangement } from '../recording/complete-interrupted.ts';
import { accessibleVehicleKeys } from './accessible-vehicles.ts';
import type { TripFields } from './trip-fields.ts';
import type { GeometryWork } from './trip-geometry.ts';
import type { TripVisibility } from '../visibility/trip-visibility.ts';
import { type TripView, viewTrips } from './trip-view.ts';

/** Stored fields to read of trips, and the means to work on their geometry. */
export interface TripReading extends GeometryWork {
  readonly fields: TripFields;
}

/**
 * Makes the views of trips of any vehicles, in their order; trips of which nothing is visible are omitted, and so are those
 * of vehicles that are not in the access scope, such as deleted ones. Positions are read separately for each vehicle.
 */
export async function viewTripsOfAll(
  visibility: TripVisibility,
  trips: readonly StoredTrip[],
  work: GeometryWork,
): Promise<TripView[]> {
  const { records } = visibility;
  if (records.vehicle_key !== undefined) return viewTrips(visibility, trips, work);
  const vehicles = await accessibleVehicleKeys(records, trips);
  const ofEach = [...vehicles].map((key) =>
    viewTrips(
      visibility.ofVehicle({ key }),
      trips.filter((trip) => trip.vehicle_key === key),
      work,
    ),
  );
  const views = new Map((await Promise.all(ofEach)).flat().map((view) => [view.key, view]));
  return trips.flatMap(({ key }) => views.get(key) ?? []);
}

/** Trips of any vehicles by key, as a caller sees them; those that it does not see are omitted. */
export async function findTrips(
  visibility: TripVisibility,
  keys: readonly string[],
  { fields, ...work }: TripReading,
): Promise<TripView[]> {
  const { records } = visibility;
  const filter = { key: { $in: [...keys] }, staged: false };
  const accessScope = tripsAccessScope(
    { ...records, ...accountAccessScope(records.service, records.account_key) },
    null,
  );
  const known = await TripStore.find(accessScope, filter, 'vehicle_key').exec();
  const vehicles = [...(await accessibleVehicleKeys(records, known))];
  if (vehicles.length > 0) await awaitArrangement(accessScope.service, records.account_key, vehicles);
  const trips = await TripStore.find(tripsAccessScope(records, vehicles), filter, fields).exec();
  return viewTripsOfAll(visibility, trips, work);
}
