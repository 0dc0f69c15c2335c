import type { Model } from 'mongoose';

import { AccountModel } from '../../models/account/account.ts';
import { type AccessScope, accountAccessScope, UNRESTRICTED } from '../../models/tenancy.ts';
import { DeviceModel } from '../../models/vehicles/device.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';

import { unknownKey } from './unknown-key.ts';

const MODELS = { vehicle: VehicleModel, device: DeviceModel } as const;

/**
 * Finds a record of any account for the operator.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter and the key
 */
export async function anyRecord(
  parameter: keyof typeof MODELS,
  key: string,
): Promise<{ readonly key: string; readonly account_key: string }> {
  const model: Pick<Model<{ key: string; account_key: string }>, 'findOne'> = MODELS[parameter];
  const found = await model.findOne({ key }, { key: 1, account_key: 1 }, { accessScope: UNRESTRICTED }).lean();
  if (!found) throw unknownKey(parameter, `a ${parameter}`, key);
  return found;
}

/**
 * The access scope of an existing account.
 *
 * @throws ServiceError BAD_REQUEST naming `account` and the key
 */
export async function existingAccountScope(accountKey: string): Promise<AccessScope> {
  const accessScope = accountAccessScope(accountKey);
  if ((await AccountModel.countDocuments({}, { accessScope })) === 0)
    throw unknownKey('account', 'an account', accountKey);
  return accessScope;
}
