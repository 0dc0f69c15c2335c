import { accountAccessScope } from '../../models/store/tenancy.ts';
import { type Caller, accessScopeOf } from '../../auth/caller.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { ServiceError } from '../../schema/service-error.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';
import { PRESENT_STATUSES } from '../../schema/vehicles/device.ts';
import type { NearbyVehicle } from '../../schema/vehicles/vehicle.ts';

import { haversineMeters } from '../../tracking/geometry/haversine.ts';
import { METERS_PER_MILE, toTenths } from '../../tracking/geometry/speeds.ts';
import { forEachInSlices, type TimeSlice } from '../../tracking/scheduling/time-slice.ts';
import { completeVehicles, READ_TOO, zonesFor } from './complete-vehicles.ts';
import { type LocatingDevice, locationOf } from '../../tracking/visibility/vehicle-location.ts';
import type { Service } from '../../models/store/service.ts';

/** Largest number of vehicles in an answer. */
const MAX_SIZE = 200;
/** Vehicles that are looked up by one query. */
const AT_ONCE = 200;

/**
 * The vehicles whose latest positions, as the caller sees them, are the nearest to a point, the nearest first.
 *
 * @throws ServiceError BAD_REQUEST naming `lat`, `lon` or `first`
 */
export async function nearbyVehicles(
  service: Service,
  caller: Caller,
  point: GeoPoint,
  size: number,
  slice: TimeSlice,
): Promise<Omit<NearbyVehicle, 'last_trip'>[]> {
  if (!(Math.abs(point.lat) <= 90)) throw new ServiceError('BAD_REQUEST', 'lat must be -90 to 90');
  if (!(Math.abs(point.lon) <= 180)) throw new ServiceError('BAD_REQUEST', 'lon must be -180 to 180');
  if (size < 1) throw new ServiceError('BAD_REQUEST', 'first must be 1 or more');
  const wanted = Math.min(size, MAX_SIZE);
  const distances = await distancesTo(service, caller, point, slice);
  const nearest = [...distances].sort(([a, near], [b, far]) => near - far || (a < b ? -1 : 1));
  const found: Omit<NearbyVehicle, 'last_trip'>[] = [];
  for (let from = 0; from < nearest.length && found.length < wanted; from += AT_ONCE) {
    const keys = nearest.slice(from, from + AT_ONCE).map(([key]) => key);
    const query = { accessScope: accessScopeOf({ service, caller }), filter: { key: { $in: keys } } };
    const read = await VehicleStore.readShown({ ...query, hidden: READ_TOO }, { sort: {} });
    read.sort((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key));
    const vehicles = await completeVehicles(service, caller, read.slice(0, wanted - found.length));
    for (const vehicle of vehicles) {
      const miles = (distances.get(vehicle.key) ?? Number.NaN) / METERS_PER_MILE;
      found.push({ ...vehicle, distance_in_miles: toTenths(miles) });
    }
  }
  return found;
}

/** Distances in meters of the account's vehicles from a point, by key: those that have a position that the caller sees. */
async function distancesTo(
  service: Service,
  caller: Caller,
  point: GeoPoint,
  slice: TimeSlice,
): Promise<Map<string, number>> {
  const zones = await zonesFor(service, caller);
  // Who sees a vehicle is decided when it is read: a device has groups of itself.
  const accessScope = accountAccessScope(service, accessScopeOf({ service, caller }).account_key);
  const devices = await DeviceStore.find(
    accessScope,
    { vehicle_key: { $ne: null }, status: { $in: PRESENT_STATUSES }, position: { $ne: null } },
    { key: 1, vehicle_key: 1, position: 1, seen_outside: 1 },
  );
  const byVehicle = new Map<string, LocatingDevice[]>();
  await forEachInSlices(slice, devices, ({ vehicle_key, ...device }) => {
    if (vehicle_key !== null) byVehicle.set(vehicle_key, [...(byVehicle.get(vehicle_key) ?? []), device]);
  });
  const now = Date.now();
  const distances = new Map<string, number>();
  await forEachInSlices(slice, byVehicle, ([key, inside]) => {
    const location = locationOf(inside, zones, now);
    if (location) distances.set(key, haversineMeters(point.lat, point.lon, location.point.lat, location.point.lon));
  });
  return distances;
}
