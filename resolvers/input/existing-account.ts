import { AccountModel } from '../../models/account/account.ts';
import { sightOfAccount, type Sight } from '../../models/tenancy.ts';

import { unknownKey } from './unknown-key.ts';

/**
 * The sight of an account that is there.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter `account` and the key
 */
export async function sightOfExistingAccount(accountKey: string): Promise<Sight> {
  const sight = sightOfAccount(accountKey);
  if ((await AccountModel.countDocuments({}, { sight })) === 0) throw unknownKey('account', 'an account', accountKey);
  return sight;
}
