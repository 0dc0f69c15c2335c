import { changeTime } from '../../models/change-time.ts';
import { type AccessScope, accountAccessScope } from '../../models/tenancy.ts';
import { DeviceModel, type StoredDevice } from '../../models/vehicles/device.ts';
import { insertVehicleEvents } from '../../models/vehicles/vehicle-event.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';
import type { DeviceStatus } from '../../schema/vehicles/device.ts';

import { unknownKey } from '../input/unknown-key.ts';
import { closeTripsOnLeaving } from '../recording/close-offline-trips.ts';

/** A device that is moved, as it was read. */
export type MovedDevice = Pick<StoredDevice, 'key' | 'account_key' | 'vehicle_key'>;

/**
 * Puts a device into a vehicle, or takes it out of the one that it is in. The trip that it was recording ends with its last
 * position; what it sends later is recorded for the new vehicle, whatever its time.
 *
 * @param change further fields to store with it
 * @throws ServiceError SERVICE_UNAVAILABLE where others work on the device for too long
 */
export async function moveDevice(
  device: MovedDevice,
  vehicleKey: string | null,
  change: { readonly status: DeviceStatus; readonly deleted_at?: Date | null },
): Promise<void> {
  const { key, account_key, vehicle_key } = device;
  const leave = async () => {
    if (vehicle_key !== null && vehicle_key !== vehicleKey)
      await closeTripsOnLeaving({ key, account_key, vehicle_key });
  };
  await leave();
  await recordChange(device, vehicleKey);
  await DeviceModel.updateOne(
    { key },
    { vehicle_key: vehicleKey, ...(vehicleKey !== vehicle_key && { position: null, seen_outside: null }), ...change },
  ).setOptions({
    accessScope: accountAccessScope(account_key),
  });
  // It may have sent something in between.
  await leave();
}

/** Stores the change as an event of the vehicle into which a device is put, else of the one that it leaves. */
async function recordChange({ key, account_key, vehicle_key }: MovedDevice, vehicleKey: string | null): Promise<void> {
  const concerned = vehicleKey ?? vehicle_key;
  if (concerned === null || vehicleKey === vehicle_key) return;
  const event = 'device_vehicle_change';
  await insertVehicleEvents([{ event, timestamp: changeTime(), account_key, vehicle_key: concerned, device_key: key }]);
}

/**
 * The key of a vehicle in the access scope.
 * @throws ServiceError BAD_REQUEST naming `parameter`
 */
export async function knownVehicle(parameter: string, key: string, accessScope: AccessScope): Promise<string> {
  if ((await VehicleModel.countDocuments({ key }, { accessScope })) > 0) return key;
  throw unknownKey(parameter, 'a vehicle of the account', key);
}
