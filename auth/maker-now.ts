import { AccountStore } from '../models/account/account.ts';
import { type StoredUser, UserStore } from '../models/account/user.ts';
import { accountAccessScope } from '../models/store/tenancy.ts';

import type { AppForUser, Owner, SignedInUser } from './caller.ts';
import { holderOfGrant } from './grants.ts';
import type { Maker } from './maker.ts';
import type { Service } from '../models/store/service.ts';

/**
 * The maker of a record, with the rights of now: an app for its user, a user, or the owner of the account. Null if the access of
 * the app or the user, or the account, has ended.
 */
export async function makerNow(
  service: Service,
  { account_key, grant_hash, user_key }: Pick<Maker, 'grant_hash' | 'user_key'> & { readonly account_key: string },
): Promise<AppForUser | Owner | SignedInUser | null> {
  if (grant_hash !== null) return holderOfGrant(service, grant_hash);
  const accessScope = accountAccessScope(service, account_key);
  if (user_key !== null) {
    const user = await UserStore.findOne(accessScope, { key: user_key });
    return user && !user.disabled ? userOf(user) : null;
  }
  const account = await AccountStore.findOne(accessScope, {}, 'account_plan');
  return account && { kind: 'owner', account_key, plan: account.account_plan };
}

/** A user as if signed in; the times of the session, if there is one, are to be added. */
export function userOf({ key, account_key, account_role, group_keys }: StoredUser): SignedInUser {
  return {
    kind: 'user',
    ...{ account_key, user_key: key, role: account_role, group_keys: group_keys.length > 0 ? group_keys : null },
    ...{ signed_in: -Infinity, expires: Infinity },
  };
}
