import { AccountStore } from '../models/account/account.ts';
import { accountAccessScope } from '../models/store/tenancy.ts';

import type { AppForUser, Owner } from './caller.ts';
import { holderOfGrant } from './grants.ts';
import type { Maker } from './maker.ts';
import type { Service } from '../models/store/service.ts';

/**
 * The maker of a record, with the rights of now: an app for its user, or the owner of the account. Null if the access of the
 * app, or the account, has ended.
 */
export async function makerNow(
  service: Service,
  { account_key, grant_hash }: Pick<Maker, 'grant_hash'> & { readonly account_key: string },
): Promise<AppForUser | Owner | null> {
  if (grant_hash !== null) return holderOfGrant(service, grant_hash);
  const accessScope = accountAccessScope(service, account_key);
  const account = await AccountStore.findOne(accessScope, {}, 'account_plan');
  return account && { kind: 'owner', account_key, plan: account.account_plan };
}
