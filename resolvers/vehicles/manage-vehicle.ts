import { newKey } from '../../models/key.ts';
import { accountAccessScope } from '../../models/tenancy.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';

import { groupMembership } from '../groups/group-membership.ts';
import { checkName } from '../input/check-name.ts';
import { anyRecord, existingAccountScope } from '../input/any-record.ts';

/** A new vehicle, as the operator describes it. */
export interface VehicleRequest {
  readonly account: string;
  readonly nickname: string;
  readonly groups: readonly string[];
}

/** Adds a vehicle to an account. Returns the key of the vehicle. */
export async function addVehicle(request: VehicleRequest): Promise<string> {
  const nickname = checkName('nickname', request.nickname);
  const accessScope = await existingAccountScope(request.account);
  const groups = await groupMembership(request.groups, accessScope);
  const key = newKey();
  await VehicleModel.create([{ key, nickname, ...groups, created: new Date(), account_key: accessScope.account_key }]);
  return key;
}

/** Puts a vehicle into exactly the given groups of its account; an empty list takes it out of all. */
export async function updateVehicle(vehicleKey: string, groupKeys: readonly string[]): Promise<void> {
  const { account_key } = await anyRecord('vehicle', vehicleKey);
  const accessScope = accountAccessScope(account_key);
  const groups = await groupMembership(groupKeys, accessScope);
  await VehicleModel.updateOne({ key: vehicleKey }, groups).setOptions({ accessScope });
}
