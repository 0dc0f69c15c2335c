import { type Caller, sightOf } from '../auth/caller.ts';
import type { TripScope } from '../auth/trip-scope.ts';
import { EVERYTHING, type Sight, sightOfVehicle } from '../models/tenancy.ts';
import { TripModel } from '../models/trip.ts';
import { VehicleModel } from '../models/vehicle.ts';
import { notFound, ServiceError } from '../schema/service-error.ts';

/**
 * What a caller's token opens of a vehicle's past; everything for callers without such a token.
 *
 * @throws ServiceError UNAUTHENTICATED where the token is for another vehicle. Decisions: "Special-purpose token".
 */
export function tripScopeOf(caller: Caller, vehicleKey: string): TripScope {
  if (caller.kind !== 'embed') return {};
  if (caller.vehicle_key !== vehicleKey) throw new ServiceError('UNAUTHENTICATED', 'The token is for another vehicle');
  return caller.scope;
}

/** The sight of a vehicle's trips, once the vehicle itself has been seen; null where it is out of sight. */
export async function sightOfTrips(caller: Caller, vehicleKey: string): Promise<Sight | null> {
  const sight = sightOf(caller);
  const vehicle = await VehicleModel.findOne({ key: vehicleKey }, 'key', { sight }).lean();
  return vehicle && sightOfVehicle(sight, vehicle);
}

/**
 * The key of the vehicle that a trip belongs to, for callers who name the trip alone.
 *
 * @throws ServiceError NOT_FOUND for a trip of another account
 */
export async function vehicleOfTrip(caller: Caller, tripKey: string): Promise<string> {
  if (caller.kind === 'embed') return caller.vehicle_key;
  const filter = { key: tripKey, account_key: sightOf(caller).account_key };
  const trip = await TripModel.findOne(filter, 'vehicle_key', { sight: EVERYTHING }).lean();
  if (!trip) throw notFound('trip');
  return trip.vehicle_key;
}
