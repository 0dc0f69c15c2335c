import { newKey } from '../../models/key.ts';
import { sightOfAccount, sightOfVehicle } from '../../models/tenancy.ts';
import type { TripPoints } from '../../models/trip-points.ts';
import { tripFacts } from '../../resolvers/geometry/trip-facts.ts';
import { showTrips } from '../../resolvers/trip-import/show-trips.ts';
import { stageTrip } from '../../resolvers/trip-import/stage-trip.ts';

/** Positions to store, and whose they are. */
interface Recording {
  readonly account_key: string;
  readonly vehicle_key: string;
  readonly points: TripPoints;
}

/** Stores a trip as an import does; a staged one is seen by nobody yet. Answers its key. */
export async function storeTrip(recording: Recording, { isStaged = false } = {}): Promise<string> {
  const { account_key, vehicle_key, points } = recording;
  const run = newKey();
  const sight = sightOfVehicle(sightOfAccount(account_key), { key: vehicle_key });
  const { key } = await stageTrip(sight, { ...recording, facts: tripFacts(points) }, run);
  if (!isStaged) await showTrips(account_key, run);
  return key;
}
