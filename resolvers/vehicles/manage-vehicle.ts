import type { VehicleInput } from '../../schema/vehicles/vehicle.ts';

import { existingAccountScope } from '../input/any-record.ts';
import { createVehicle } from './write-vehicle.ts';
import type { Service } from '../../models/store/service.ts';

/** Adds a vehicle to an account, as its owner would. Returns the key of the vehicle. */
export async function addVehicle(
  service: Service,
  { account, ...input }: VehicleInput & { readonly account: string },
): Promise<string> {
  return createVehicle(await existingAccountScope(service, account), input);
}
