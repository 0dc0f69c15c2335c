import { setTimeout as pause } from 'node:timers/promises';

import { DeviceStore, type StoredDevice } from '../../models/vehicles/device.ts';
import { type AccessScope, unrestricted, accountAccessScope, type Unrestricted } from '../../models/store/tenancy.ts';
import { DISCONNECTED_AFTER_MS } from '../../schema/vehicles/device.ts';

import { endIfOver, withDeviceLease } from './device-lease.ts';
import { isLeaseOver, LEASE_MS } from '../../models/leases/is-lease-over.ts';
import { recorderUnder } from './record-points.ts';
import type { Service } from '../../models/store/service.ts';

const LOOK_EVERY_MS = 20;
/** Longer than any time until a device is to be checked, in milliseconds. */
const FAR_MS = 100 * 86_400_000;

type HeldDevice = Pick<StoredDevice, 'key' | 'account_key' | 'vehicle_key' | 'care' | 'lease_vehicle'>;
const HELD_FIELDS = 'key account_key vehicle_key care lease_vehicle';

/**
 * Completes at a start what ended processes of this machine did not finish, and expired leases, so that everything
 * acknowledged is visible from the first request on. Checks that a clock that was ahead has put off are due.
 *
 * @throws AggregateError at the end, of devices with which it failed
 */
export async function completeInterrupted(service: Service): Promise<void> {
  const now = Date.now();
  const putOff = { 'care.until': { $gt: new Date(now + FAR_MS) }, 'care.by': null };
  await DeviceStore.updateMany(unrestricted(service), putOff, { 'care.until': new Date(now) });
  // Also those of holders whose clock was ahead.
  const held = { 'care.until': { $gte: new Date(0) }, 'care.by': { $gt: '' } };
  const devices = await DeviceStore.find(unrestricted(service), held, HELD_FIELDS);
  const failures: unknown[] = [];
  for (const device of devices) {
    if (isOver(device)) await complete(service, device).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} devices whose trips are incomplete`);
}

/**
 * Waits until trips that are being cut again, of some vehicles or of all of an account, are whole again, and completes
 * them if their worker has ended. Costs one query if none are.
 */
export async function awaitArrangement(
  service: Service,
  accountKey: string,
  vehicleKeys?: readonly string[],
): Promise<void> {
  const accessScope = accountAccessScope(service, accountKey);
  const devices = await rearrangedDevices(service, accountKey, vehicleKeys);
  const giveUp = performance.now() + LEASE_MS;
  for (const device of devices) {
    let now: HeldDevice | null = device;
    while (now?.care?.rearranging && now.care.by === device.care?.by) {
      if (isOver(now)) {
        // If it cannot be completed, the existing data is shown, and the error is logged once a minute.
        await complete(service, now).catch(() => undefined);
        break;
      }
      if (performance.now() > giveUp) break;
      await pause(LOOK_EVERY_MS);
      now = await DeviceStore.findOne(accessScope, { key: device.key }, HELD_FIELDS);
    }
  }
}

/**
 * Finds those of some vehicles whose trips are being cut again, and completes those whose worker has ended. Costs one query if
 * none are.
 */
export async function vehiclesInArrangement(
  service: Service,
  accountKey: string,
  vehicleKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  const devices = await rearrangedDevices(service, accountKey, vehicleKeys);
  const over = devices.filter(isOver);
  // If one cannot be completed, the existing data is shown, as above.
  await Promise.all(over.map((device) => complete(service, device).catch(() => undefined)));
  const left = over.length === 0 ? devices : await rearrangedDevices(service, accountKey, vehicleKeys);
  return new Set(left.flatMap((device) => (isOver(device) ? [] : (device.lease_vehicle ?? []))));
}

function rearrangedDevices(
  service: Service,
  accountKey: string,
  vehicleKeys: readonly string[] | undefined,
): Promise<HeldDevice[]> {
  const find = (
    lease_vehicle: { readonly $in: readonly string[] } | { readonly $gt: string },
    accessScope: AccessScope | Unrestricted,
  ) => DeviceStore.find(accessScope, { lease_vehicle, 'care.rearranging': true }, HELD_FIELDS);
  if (vehicleKeys) return find({ $in: vehicleKeys }, accountAccessScope(service, accountKey)).exec();
  // There are few in all accounts, with a separate index; by account, all of its devices would be read.
  return find({ $gt: '' }, unrestricted(service)).then((all) =>
    all.filter(({ account_key }) => account_key === accountKey),
  );
}

function isOver({ care }: HeldDevice): boolean {
  return typeof care?.by === 'string' && isLeaseOver(care.by, care.until);
}

/** Takes a lease that was not released, and completes the work; does nothing if others do so. */
async function complete(
  service: Service,
  { key, account_key, vehicle_key, lease_vehicle, care }: HeldDevice,
): Promise<void> {
  const vehicle = vehicle_key ?? lease_vehicle;
  if (vehicle === null || !care?.by) return;
  const accessScope = accountAccessScope(service, account_key);
  await endIfOver(accessScope, key, care);
  const device = { key, account_key, vehicle_key: vehicle };
  await withDeviceLease(service, device, { onlyIfDue: true }, async (lease) => {
    await recorderUnder(service, lease, device);
    return { result: null, isSeen: false, dueIn: lease.interrupted === null ? 0 : DISCONNECTED_AFTER_MS };
  });
}
