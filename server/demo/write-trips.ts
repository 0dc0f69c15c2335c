import { foldTagValue, TagModel } from '../../models/account/tag.ts';
import { insertIfAbsent } from '../../models/duplicate-key.ts';
import { newKey } from '../../models/key.ts';
import { type AccessScope, accountAccessScope, vehicleAccessScope } from '../../models/tenancy.ts';
import { TripModel } from '../../models/trips/trip.ts';
import { DeviceModel } from '../../models/vehicles/device.ts';
import { tripFacts } from '../../resolvers/geometry/trip-facts.ts';
import { lastPosition } from '../../resolvers/recording/last-position.ts';
import { showTrips } from '../../resolvers/trip-import/show-trips.ts';
import { stageTrips } from '../../resolvers/recording/stage-trip.ts';

import type { DemoKeys } from './demo-keys.ts';
import { demoVehicles } from './demo-records.ts';
import { simulatedTrips } from './simulated-trips.ts';

/** Tag of every trip of the demonstration. */
const SIMULATED = { color: '#8a63d2', value: 'Simulated for demonstration', type: 'Trip' } as const;

/**
 * Writes the demonstration's trips, those of a vehicle together, until the signal; what an earlier start has written is not
 * written again. Returns false where some are missing.
 *
 * @param onProgress called with the share that is there, from 0 to 1
 */
export async function writeTrips(
  keys: DemoKeys,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<boolean> {
  const tag = await tagOf(keys);
  const vehicles = demoVehicles(keys);
  for (const [at, vehicle] of vehicles.entries()) {
    if (signal.aborted) return false;
    onProgress(at / vehicles.length);
    await writeTripsOf(vehicle, keys, tag);
  }
  onProgress(1);
  return true;
}

/** Makes the tag, unless an earlier start has made it; returns its key. */
async function tagOf({ account_key, created }: DemoKeys): Promise<string> {
  const accessScope = accountAccessScope(account_key);
  const value_folded = foldTagValue(SIMULATED.value);
  const find = () => TagModel.findOne({ type: SIMULATED.type, value_folded }, { key: 1 }, { accessScope }).lean();
  const fields = { ...SIMULATED, key: newKey(), account_key, value_folded, created: new Date(created) };
  if (!(await find())) await insertIfAbsent(() => TagModel.create([fields]));
  return (await find())?.key ?? fields.key;
}

async function writeTripsOf(
  { car, key, device_key }: ReturnType<typeof demoVehicles>[number],
  { account_key, created }: DemoKeys,
  tag: string,
): Promise<void> {
  const accessScope = vehicleAccessScope(accountAccessScope(account_key), { key });
  const run = newKey();
  const trips = [...simulatedTrips(car, new Date(created))].map((points) => {
    return { account_key, vehicle_key: key, facts: tripFacts(points), points };
  });
  const staged = (await stageTrips(trips, run)).map((trip) => trip.key);
  await label(accessScope, staged, { device_key, tag_keys: [tag] });
  await showTrips(account_key, run);
  const last = trips.at(-1);
  if (!last) return;
  // Where the vehicle stands, unless it has driven on since.
  await DeviceModel.updateOne({ key: device_key, position: null }, { position: lastPosition(last.points) }).setOptions({
    accessScope,
  });
}

async function label(
  accessScope: AccessScope,
  tripKeys: readonly string[],
  labels: { readonly device_key: string; readonly tag_keys: string[] },
): Promise<void> {
  const staged = { key: { $in: [...tripKeys] }, staged: true };
  await TripModel.updateMany(staged, labels).setOptions({ accessScope });
}
