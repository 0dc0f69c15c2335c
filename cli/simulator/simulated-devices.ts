import { accountAccessScope } from '../../models/store/tenancy.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { foldSerial } from '../../models/vehicles/serial-grams.ts';
import { addDevice } from '../../resolvers/devices/write-device.ts';
import { existingAccountScope } from '../../models/lookup/any-record.ts';
import { addVehicle } from '../../resolvers/vehicles/write-vehicle.ts';

import { mapInBatches } from '../../tracking/scheduling/map-in-batches.ts';
import { simulatedSerial } from './simulated-batches.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * Adds the vehicles of a simulation, each with its device, that an account does not have yet.
 *
 * @param onProgress is called with the number of vehicles that are there
 * @returns keys of the vehicles, in the order of their numbers
 * @throws ServiceError BAD_REQUEST if there is no such account
 */
export async function simulatedDevices(
  service: Service,
  account: string,
  vehicles: number,
  onProgress: (count: number) => void,
): Promise<string[]> {
  await existingAccountScope(service, account);
  const serials = Array.from({ length: vehicles }, (_, at) => simulatedSerial(at + 1));
  const found = await DeviceStore.find(
    accountAccessScope(service, account),
    { serial_folded: { $in: serials.map(foldSerial) } },
    'serial vehicle_key',
  );
  const vehicleOf = new Map(found.map(({ serial, vehicle_key }) => [serial, vehicle_key]));
  let count = 0;
  return mapInBatches([...serials.entries()], async ([at, serial]) => {
    const key = vehicleOf.get(serial) ?? (await addSimulated(service, account, serial, at + 1));
    onProgress(++count);
    return key;
  });
}

async function addSimulated(service: Service, account: string, serial: string, number: number): Promise<string> {
  const vehicle = await addVehicle(service, { account, nickname: `Simulated ${number}` });
  await addDevice(service, { account, serial, vehicle, groups: [] });
  return vehicle;
}
