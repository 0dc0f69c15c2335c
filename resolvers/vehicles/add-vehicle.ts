import { newKey } from '../../models/key.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';

import { checkName } from '../input/check-name.ts';
import { existingAccountScope } from '../input/existing-account.ts';
import { groupMembership } from '../groups/group-membership.ts';

/** What the operator says of a new vehicle. */
export interface VehicleRequest {
  readonly account: string;
  readonly nickname: string;
  readonly groups: readonly string[];
}

/** Adds a vehicle to an account. Answers the key of the vehicle. */
export async function addVehicle(request: VehicleRequest): Promise<string> {
  const nickname = checkName('nickname', request.nickname);
  const accessScope = await existingAccountScope(request.account);
  const groups = await groupMembership(request.groups, accessScope);
  const key = newKey();
  await VehicleModel.create([{ key, nickname, ...groups, created: new Date(), account_key: accessScope.account_key }]);
  return key;
}
