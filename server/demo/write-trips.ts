import { newKey } from '../../models/key.ts';
import { type AccessScope, accountAccessScope, vehicleAccessScope } from '../../models/tenancy.ts';
import { TripModel } from '../../models/trips/trip.ts';
import { tripFacts } from '../../resolvers/geometry/trip-facts.ts';
import { showTrips } from '../../resolvers/trip-import/show-trips.ts';
import { stageTrip } from '../../resolvers/recording/stage-trip.ts';

import type { DemoKeys } from './demo-keys.ts';
import { demoVehicles } from './demo-records.ts';
import { simulatedTrips } from './simulated-trips.ts';

/** Mark of every trip of the demonstration. */
const SIMULATED = { color: '#8a63d2', key: 'simulated', value: 'Simulated for demonstration' };

/** Writes the demonstration's trips, those of a vehicle at once; what an earlier start has written is not written again. */
export async function writeTrips(keys: DemoKeys): Promise<void> {
  await Promise.all(demoVehicles(keys).map((vehicle) => writeTripsOf(vehicle, keys)));
}

async function writeTripsOf(
  { car, key, device_key }: ReturnType<typeof demoVehicles>[number],
  { account_key, created }: DemoKeys,
): Promise<void> {
  const accessScope = vehicleAccessScope(accountAccessScope(account_key), { key });
  const staged: string[] = [];
  const run = newKey();
  for (const points of simulatedTrips(car, new Date(created))) {
    const trip = await stageTrip(accessScope, { account_key, vehicle_key: key, facts: tripFacts(points), points }, run);
    staged.push(trip.key);
  }
  await label(accessScope, staged, device_key);
  await showTrips(account_key, run);
}

async function label(accessScope: AccessScope, tripKeys: readonly string[], device_key: string): Promise<void> {
  const staged = { key: { $in: [...tripKeys] }, staged: true };
  await TripModel.updateMany(staged, { tags: [SIMULATED], device_key }).setOptions({ accessScope });
}
