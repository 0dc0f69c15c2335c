import { AccountStore } from '../account/account.ts';
import { type AccessScope, accountAccessScope, unrestricted } from '../store/tenancy.ts';
import { DeviceStore } from '../vehicles/device.ts';
import { VehicleStore } from '../vehicles/vehicle.ts';

import { unknownKey } from './unknown-key.ts';
import type { Store } from '../store/store.ts';
import type { Service } from '../store/service.ts';

const MODELS = { vehicle: VehicleStore, device: DeviceStore } as const;

/**
 * Finds a record of any account for the operator.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter and the key
 */
export async function anyRecord(
  service: Service,
  parameter: keyof typeof MODELS,
  key: string,
): Promise<{ readonly key: string; readonly account_key: string }> {
  const model: Pick<Store<{ key: string; account_key: string }, unknown>, 'findOne'> = MODELS[parameter];
  const found = await model.findOne(unrestricted(service), { key }, { key: 1, account_key: 1 });
  if (!found) throw unknownKey(parameter, `a ${parameter}`, key);
  return found;
}

/**
 * The access scope of an existing account.
 *
 * @throws ServiceError BAD_REQUEST naming `account` and the key
 */
export async function existingAccountScope(service: Service, accountKey: string): Promise<AccessScope> {
  const accessScope = accountAccessScope(service, accountKey);
  if ((await AccountStore.countDocuments(accessScope)) === 0) throw unknownKey('account', 'an account', accountKey);
  return accessScope;
}
