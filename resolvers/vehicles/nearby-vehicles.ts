import { accountAccessScope } from '../../models/tenancy.ts';
import { type Caller, accessScopeOf } from '../../auth/caller.ts';
import { readShown } from '../../models/read-shown.ts';
import { DeviceModel } from '../../models/vehicles/device.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';
import { ServiceError } from '../../schema/service-error.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';
import { PRESENT_STATUSES } from '../../schema/vehicles/device.ts';
import type { NearbyVehicle } from '../../schema/vehicles/vehicle.ts';

import { haversineMeters } from '../geometry/haversine.ts';
import { METERS_PER_MILE, toTenths } from '../geometry/speeds.ts';
import { forEachInSlices, type TimeSlice } from '../scheduling/time-slice.ts';
import { completeVehicles, READ_TOO, zonesFor } from './complete-vehicles.ts';
import { type LocatingDevice, locationOf } from './vehicle-location.ts';

/** Largest number of vehicles in an answer. */
const MAX_SIZE = 200;
/** Vehicles that are looked up by one query. */
const AT_ONCE = 200;

/**
 * The vehicles whose latest positions, as the caller sees them, are the nearest to a point, the nearest first.
 *
 * @throws ServiceError BAD_REQUEST naming `lat`, `long` or `size`
 */
export async function nearbyVehicles(
  caller: Caller,
  point: GeoPoint,
  size: number,
  slice: TimeSlice,
): Promise<Omit<NearbyVehicle, 'last_trip'>[]> {
  if (!(Math.abs(point.lat) <= 90)) throw new ServiceError('BAD_REQUEST', 'lat must be -90 to 90');
  if (!(Math.abs(point.lon) <= 180)) throw new ServiceError('BAD_REQUEST', 'long must be -180 to 180');
  if (size < 1) throw new ServiceError('BAD_REQUEST', 'size must be 1 or more');
  const wanted = Math.min(size, MAX_SIZE);
  const distances = await distancesTo(caller, point, slice);
  const nearest = [...distances].sort(([a, near], [b, far]) => near - far || (a < b ? -1 : 1));
  const found: Omit<NearbyVehicle, 'last_trip'>[] = [];
  for (let from = 0; from < nearest.length && found.length < wanted; from += AT_ONCE) {
    const keys = nearest.slice(from, from + AT_ONCE).map(([key]) => key);
    const query = { accessScope: accessScopeOf(caller), filter: { key: { $in: keys } } };
    const read = await readShown(VehicleModel, { ...query, hidden: READ_TOO }, { sort: {} });
    read.sort((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key));
    const vehicles = await completeVehicles(caller, read.slice(0, wanted - found.length));
    for (const vehicle of vehicles) {
      const miles = (distances.get(vehicle.key) ?? Number.NaN) / METERS_PER_MILE;
      found.push({ ...vehicle, distance_in_miles: toTenths(miles) });
    }
  }
  return found;
}

/** Distances in meters of the account's vehicles from a point, by key: those that have a position that the caller sees. */
async function distancesTo(caller: Caller, point: GeoPoint, slice: TimeSlice): Promise<Map<string, number>> {
  const zones = await zonesFor(caller);
  // Who sees a vehicle is decided when it is read: a device has groups of itself.
  const accessScope = accountAccessScope(accessScopeOf(caller).account_key);
  const devices = await DeviceModel.find(
    { vehicle_key: { $ne: null }, status: { $in: PRESENT_STATUSES }, position: { $ne: null } },
    { key: 1, vehicle_key: 1, position: 1, seen_outside: 1 },
    { accessScope },
  ).lean();
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
