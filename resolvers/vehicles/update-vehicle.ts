import { UNRESTRICTED, accountAccessScope } from '../../models/tenancy.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';

import { groupMembership } from '../groups/group-membership.ts';
import { unknownKey } from '../input/unknown-key.ts';

/** Puts a vehicle into exactly the given groups of its account; none takes it out of all. */
export async function updateVehicle(vehicleKey: string, groupKeys: readonly string[]): Promise<void> {
  const vehicle = await findVehicle(vehicleKey);
  const accessScope = accountAccessScope(vehicle.account_key);
  const groups = await groupMembership(groupKeys, accessScope);
  await VehicleModel.updateOne({ key: vehicleKey }, groups).setOptions({ accessScope });
}

/**
 * Finds a vehicle of any account.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter `vehicle` and the key
 */
export async function findVehicle(vehicleKey: string): Promise<{ readonly key: string; readonly account_key: string }> {
  const vehicle = await VehicleModel.findOne(
    { key: vehicleKey },
    { key: 1, account_key: 1 },
    { accessScope: UNRESTRICTED },
  ).lean();
  if (!vehicle) throw unknownKey('vehicle', 'a vehicle', vehicleKey);
  return vehicle;
}
