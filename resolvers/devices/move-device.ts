import { changeTime } from '../../models/change-time.ts';
import { type AccessScope, accountAccessScope } from '../../models/store/tenancy.ts';
import { DeviceStore, type StoredDevice } from '../../models/vehicles/device.ts';
import { insertVehicleEvents } from '../../models/vehicles/vehicle-event.ts';
import { tripsChanged, VehicleStore } from '../../models/vehicles/vehicle.ts';
import type { DeviceStatus } from '../../schema/vehicles/device.ts';

import { unknownKey } from '../../models/lookup/unknown-key.ts';
import { closeTripsOnLeaving } from '../../tracking/recording/close-offline-trips.ts';
import type { Service } from '../../models/store/service.ts';

/** Maximum number of former vehicles of a device, the latest, to which late positions go. */
const MAX_FORMER = 20;

/** A device that is moved, as it was read. */
export type MovedDevice = Pick<StoredDevice, 'key' | 'account_key' | 'vehicle_key'>;

/**
 * Puts a device into a vehicle, or takes it out of the one that it is in. The trip that it was recording ends with its last
 * position. What it sends later of that time is recorded for the vehicle that it has left, unless that is being deleted.
 *
 * @param change further fields to store with it
 * @param isDeletion true if the device or its vehicle is being deleted, so that {@link putBack} can undo it
 * @throws ServiceError SERVICE_UNAVAILABLE if others work on the device for too long
 */
export async function moveDevice(
  service: Service,
  device: MovedDevice,
  vehicleKey: string | null,
  change: { readonly status: DeviceStatus; readonly deleted_at?: Date | null },
  isDeletion = false,
): Promise<void> {
  const { key, account_key, vehicle_key } = device;
  const left_key = vehicle_key !== vehicleKey ? vehicle_key : null;
  const leave = async () => {
    if (left_key !== null) await closeTripsOnLeaving(service, { key, account_key, vehicle_key: left_key });
  };
  await leave();
  // From now on, trip maps of this vehicle do not look at the version of the device.
  if (left_key !== null) await tripsChanged(service, account_key, [left_key]);
  await recordChange(service, device, vehicleKey);
  const accessScope = accountAccessScope(service, account_key);
  const left = isDeletion ? await placeBefore(service, device) : null;
  const moved = vehicleKey !== vehicle_key && { position: null, seen_outside: null, odometer: null };
  const former = { vehicle_key: left_key ?? '', until: changeTime() };
  await DeviceStore.updateOne(
    accessScope,
    { key },
    {
      $set: { vehicle_key: vehicleKey, left, ...moved, ...change },
      ...(left_key !== null && !isDeletion && { $push: { former_vehicles: { $each: [former], $slice: -MAX_FORMER } } }),
    },
  );
  // It may have sent something in between.
  await leave();
}

/** The place of a device before a deletion: that before the first one, if its vehicle has been deleted already. */
async function placeBefore(service: Service, { key, account_key }: MovedDevice): Promise<StoredDevice['left']> {
  const accessScope = accountAccessScope(service, account_key);
  const fields = { _id: 0, vehicle_key: 1, status: 1, position: 1, seen_outside: 1, left: 1 } as const;
  const found = await DeviceStore.findOne(accessScope, { key }, fields);
  if (!found) return null;
  const { left, ...now } = found;
  return now.vehicle_key === null && left ? left : now;
}

const PENDING = { status: 'pending' } as const;

/** A device that was taken out of its vehicle by a deletion. */
export type LeftDevice = Pick<StoredDevice, 'key' | 'account_key' | 'left'>;

/**
 * Puts a device back where it was before a deletion, with its position then.
 *
 * @param vehicleKey the vehicle; null if it is not there, so that the device is in none
 */
export async function putBack(
  service: Service,
  { key, account_key, left }: LeftDevice,
  vehicleKey: string | null,
): Promise<void> {
  // A vehicle that is deleted itself may come back later.
  const out = left?.vehicle_key == null ? { status: left?.status ?? ('pending' as const), left: null } : PENDING;
  const back = { status: 'installed' as const, ...left, vehicle_key: vehicleKey, left: null };
  const change = { ...(vehicleKey === null ? out : back), deleted_at: null };
  await DeviceStore.updateOne(accountAccessScope(service, account_key), { key, vehicle_key: null }, change);
}

/** Stores the change as an event of the vehicle into which a device is put, else of the one that it leaves. */
async function recordChange(
  service: Service,
  { key, account_key, vehicle_key }: MovedDevice,
  vehicleKey: string | null,
): Promise<void> {
  const concerned = vehicleKey ?? vehicle_key;
  if (concerned === null || vehicleKey === vehicle_key) return;
  const event = 'device_vehicle_change';
  await insertVehicleEvents(service, [
    { event, timestamp: changeTime(), account_key, vehicle_key: concerned, device_key: key },
  ]);
}

/**
 * The key of a vehicle in the access scope.
 * @throws ServiceError BAD_REQUEST naming `parameter`
 */
export async function knownVehicle(parameter: string, key: string, accessScope: AccessScope): Promise<string> {
  if ((await VehicleStore.countDocuments(accessScope, { key })) > 0) return key;
  throw unknownKey(parameter, 'a vehicle of the account', key);
}
