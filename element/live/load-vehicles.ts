import { loadNewestTrips, loadTrips, type TripsRequest } from '../trips/load-trips.ts';
import type { TokenManager } from '../trips/token-manager.ts';
import type { Trip } from '../trips/trip.ts';

/** A vehicle whose trips are loaded. */
export interface VehicleRequest {
  readonly request: TripsRequest;
  readonly tokens: TokenManager;
  /** Index of its color; null for a vehicle that is alone, whose trips have a color each. */
  readonly colorIndex: number | null;
}

/** Number of trips that are read again while a vehicle moves: the open one, and a known one. */
const NEWEST = 2;

/**
 * Loads the trips of vehicles. A vehicle whose trips cannot be loaded does not prevent the others from being shown.
 *
 * @throws the error of the first vehicle, if none could be loaded
 */
export async function loadVehicles(
  vehicles: readonly VehicleRequest[],
  signal: AbortSignal,
): Promise<{ readonly trips: readonly Trip[]; readonly failures: ReadonlyMap<string, Error> }> {
  const results = await Promise.allSettled(vehicles.map((vehicle) => loadVehicle(vehicle, signal)));
  const failures = new Map<string, Error>();
  const trips: Trip[] = [];
  for (const [at, result] of results.entries()) {
    if (result.status === 'fulfilled') trips.push(...result.value);
    else failures.set(vehicles[at]?.request.vehicleKey ?? '', result.reason as Error);
  }
  const [first] = failures.values();
  if (first && failures.size === vehicles.length) throw first;
  return { trips: vehicles.length > 1 ? inOrderOfTravel(trips) : trips, failures };
}

/** Loads the trips of a vehicle that have grown or begun since `known`, the rest of its trips, was loaded. */
export async function loadGrown(
  vehicle: VehicleRequest,
  known: readonly Trip[],
  signal: AbortSignal,
): Promise<readonly Trip[]> {
  const { request, tokens } = vehicle;
  const newest = await tokens.use((token) => loadNewestTrips(request, token, NEWEST, signal));
  const at = known.findIndex(({ key }) => key === newest[0]?.key);
  // Trips with a new beginning have been cut differently.
  if (at < 0 && newest.length === NEWEST) return loadVehicle(vehicle, signal);
  return [...known.slice(0, Math.max(0, at)), ...newest.map((trip) => colored(trip, vehicle))];
}

/** Returns trips of several vehicles in the order in which they started. */
export function inOrderOfTravel(trips: readonly Trip[]): Trip[] {
  const startOf = ({ stops }: Trip): number => Date.parse(stops[0]?.departure ?? '') || 0;
  return [...trips].sort((one, other) => startOf(one) - startOf(other));
}

async function loadVehicle(vehicle: VehicleRequest, signal: AbortSignal): Promise<Trip[]> {
  const { request, tokens } = vehicle;
  const trips = await tokens.use((token) => loadTrips(request, token, signal));
  return trips.map((trip) => colored(trip, vehicle));
}

function colored(trip: Trip, { colorIndex }: VehicleRequest): Trip {
  return colorIndex === null ? trip : { ...trip, colorIndex };
}
