import { accountAccessScope } from '../../models/tenancy.ts';
import { DeviceModel } from '../../models/vehicles/device.ts';
import { foldSerial } from '../../models/vehicles/serial-grams.ts';
import { addDevice } from '../../resolvers/devices/add-device.ts';
import { existingAccountScope } from '../../resolvers/input/any-record.ts';
import { addVehicle } from '../../resolvers/vehicles/manage-vehicle.ts';

import { simulatedSerial } from './simulated-batches.ts';

/**
 * Adds the vehicles of a simulation, each with its device, that an account does not have yet.
 *
 * @param onProgress is called with the number of vehicles that are there
 * @returns keys of the vehicles, in the order of their numbers
 * @throws ServiceError BAD_REQUEST if there is no such account
 */
export async function simulatedDevices(
  account: string,
  vehicles: number,
  onProgress: (count: number) => void,
): Promise<string[]> {
  await existingAccountScope(account);
  const serials = Array.from({ length: vehicles }, (_, at) => simulatedSerial(at + 1));
  const found = await DeviceModel.find({ serial_folded: { $in: serials.map(foldSerial) } }, 'serial vehicle_key', {
    accessScope: accountAccessScope(account),
  }).lean();
  const vehicleOf = new Map(found.map(({ serial, vehicle_key }) => [serial, vehicle_key]));
  const keys: string[] = [];
  for (const [at, serial] of serials.entries()) {
    keys.push(vehicleOf.get(serial) ?? (await addSimulated(account, serial, at + 1)));
    onProgress(keys.length);
  }
  return keys;
}

async function addSimulated(account: string, serial: string, number: number): Promise<string> {
  const vehicle = await addVehicle({ account, nickname: `Simulated ${number}` });
  await addDevice({ account, serial, vehicle, groups: [] });
  return vehicle;
}
