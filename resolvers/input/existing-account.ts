import { AccountModel } from '../../models/account/account.ts';
import { accountAccessScope, type AccessScope } from '../../models/tenancy.ts';

import { unknownKey } from './unknown-key.ts';

/**
 * The sight of an account that is there.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter `account` and the key
 */
export async function existingAccountScope(accountKey: string): Promise<AccessScope> {
  const accessScope = accountAccessScope(accountKey);
  if ((await AccountModel.countDocuments({}, { accessScope })) === 0)
    throw unknownKey('account', 'an account', accountKey);
  return accessScope;
}
