import { UserStore } from '../account/user.ts';
import { type AccessScope, accountAccessScope } from '../store/tenancy.ts';
import type { Driver } from '../../schema/account/driver.ts';

import { unknownKey } from './unknown-key.ts';
import { recordsByKey } from './records-by-key.ts';
import type { Service } from '../store/service.ts';

/** Drivers of an account, regardless of their groups: their names are shown with their vehicles and trips. */
export function driversByKey(
  service: Service,
  accountKey: string,
  keys: readonly (string | null | undefined)[],
): Promise<ReadonlyMap<string, Driver>> {
  const fields = { key: 1, first_name: 1, last_name: 1 };
  const accessScope = accountAccessScope(service, accountKey);
  return recordsByKey(keys, (key) => UserStore.find(accessScope, { key }, fields));
}

/**
 * Checks the key of a driver; null stands for no driver.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter
 */
export async function checkDriver(
  parameter: string,
  key: string | null,
  accessScope: AccessScope,
): Promise<string | null> {
  if (key === null || (await UserStore.countDocuments(accessScope, { key })) > 0) return key;
  throw unknownKey(parameter, 'a user of the account', key);
}
