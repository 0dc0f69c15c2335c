import { foldTagValue, TagStore } from '../../models/account/tag.ts';
import { insertIfAbsent } from '../../models/store/duplicate-key.ts';
import { newKey } from '../../models/key.ts';
import { accountAccessScope, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { tripFacts } from '../../tracking/geometry/trip-facts.ts';
import { lastPosition } from '../../tracking/recording/last-position.ts';
import { showTrips } from '../../tracking/import/show-trips.ts';
import { stageTrips } from '../../tracking/trips/stage-trip.ts';

import type { DemoKeys } from './demo-keys.ts';
import { demoVehicles } from './demo-records.ts';
import { simulatedTrips } from './simulated-trips.ts';
import type { Service } from '../../models/store/service.ts';

/** Tag of every trip of the demonstration. */
const SIMULATED = { color: '#8a63d2', value: 'Simulated for demonstration', type: 'Trip' } as const;

/**
 * Writes the demonstration's trips, those of a vehicle together, until the signal; trips of an earlier start are not
 * written again. Returns false if some are missing.
 *
 * @param onProgress called with the completed share, from 0 to 1
 */
export async function writeTrips(
  service: Service,
  keys: DemoKeys,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<boolean> {
  const tag = await tagOf(service, keys);
  const vehicles = demoVehicles(keys);
  for (const [at, vehicle] of vehicles.entries()) {
    if (signal.aborted) return false;
    onProgress(at / vehicles.length);
    await writeTripsOf(service, vehicle, keys, tag);
  }
  onProgress(1);
  return true;
}

/** Makes the tag, unless an earlier start has made it; returns its key. */
async function tagOf(service: Service, { account_key, created }: DemoKeys): Promise<string> {
  const accessScope = accountAccessScope(service, account_key);
  const value_folded = foldTagValue(SIMULATED.value);
  const find = () => TagStore.findOne(accessScope, { type: SIMULATED.type, value_folded }, { key: 1 });
  const fields = { ...SIMULATED, key: newKey(), account_key, value_folded, created: new Date(created) };
  if (!(await find())) await insertIfAbsent(() => TagStore.create(accessScope, fields));
  return (await find())?.key ?? fields.key;
}

async function writeTripsOf(
  service: Service,
  { car, key, device_key }: ReturnType<typeof demoVehicles>[number],
  { account_key, created }: DemoKeys,
  tag: string,
): Promise<void> {
  const accessScope = vehicleAccessScope(accountAccessScope(service, account_key), { key });
  const run = newKey();
  const trips = [...simulatedTrips(car, new Date(created))].map((points) => {
    return { account_key, vehicle_key: key, facts: tripFacts(points), points };
  });
  const staged = (await stageTrips(service, trips, run)).map((trip) => trip.key);
  const labels = { device_key, tag_keys: [tag] };
  await TripStore.updateMany(accessScope, { key: { $in: staged }, staged: true }, labels);
  await showTrips(service, account_key, run);
  const last = trips.at(-1);
  if (!last) return;
  // The vehicle's location, unless it has moved since.
  await DeviceStore.updateOne(
    accessScope,
    { key: device_key, position: null },
    { position: lastPosition(last.points) },
  );
}
