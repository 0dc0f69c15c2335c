import type { Forwarder } from '../../auth/caller.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { foldSerial } from '../../models/vehicles/serial-grams.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { MAX_NAME_LENGTH } from '../../schema/name-length.ts';
import { createDevice } from '../devices/write-device.ts';
import { nameFault } from '../../schema/check-name.ts';
import { createVehicle } from '../vehicles/write-vehicle.ts';
import type { Service } from '../../models/store/service.ts';
import type { NamedDevice } from '../../tracking/ingest/read-batch.ts';

/**
 * Makes a device that the account of a forwarder does not have, in a vehicle with its name. A device that was removed is
 * none that is unknown, and what cannot be a serial names none.
 */
export async function createUnknown(
  service: Service,
  { account_key }: Forwarder,
  { serial, name }: NamedDevice,
): Promise<void> {
  if (serial === null || serial.trim() !== serial || nameFault(serial) !== null) return;
  const accessScope = accountAccessScope(service, account_key);
  const known = { serial_folded: foldSerial(serial) };
  if ((await DeviceStore.countDocuments(accessScope, known)) > 0) return;
  const shown = [...(name ?? '').trim()].slice(0, MAX_NAME_LENGTH).join('');
  const nickname = nameFault(shown) === null ? shown : serial;
  const vehicle_key = await createVehicle(accessScope, { nickname });
  try {
    await createDevice(accessScope, { serial, vehicle_key });
  } catch (error) {
    await VehicleStore.deleteOne(accessScope, { key: vehicle_key });
    // Another request has made the device since: messages of one device come at the same time.
    if (!(error instanceof ServiceError && error.code === 'BAD_REQUEST')) throw error;
  }
}
