import { accountAccessScope } from '../../models/tenancy.ts';
import type { VehicleInput } from '../../schema/vehicles/vehicle.ts';

import { anyRecord, existingAccountScope } from '../input/any-record.ts';
import { deleteVehicle, restoreVehicle } from './delete-vehicle.ts';
import { createVehicle, updateVehicle } from './write-vehicle.ts';

/** Adds a vehicle to an account, as its owner would. Returns the key of the vehicle. */
export async function addVehicle({ account, ...input }: VehicleInput & { readonly account: string }): Promise<string> {
  return createVehicle(await existingAccountScope(account), input);
}

/** Changes a vehicle, as the owner of its account would. */
export async function changeVehicle(vehicleKey: string, input: VehicleInput): Promise<void> {
  const { account_key } = await anyRecord('vehicle', vehicleKey);
  await updateVehicle(accountAccessScope(account_key), vehicleKey, input);
}

/** Deletes a vehicle, as the owner of its account would. */
export async function removeVehicle(vehicleKey: string): Promise<void> {
  const { account_key } = await anyRecord('vehicle', vehicleKey);
  await deleteVehicle(accountAccessScope(account_key), vehicleKey);
}

/** Brings a deleted vehicle back, as the owner of its account would. */
export async function bringVehicleBack(account: string, vehicleKey: string): Promise<void> {
  await restoreVehicle(await existingAccountScope(account), vehicleKey);
}
