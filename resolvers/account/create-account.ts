import { issueApiKey } from '../../auth/api-keys.ts';
import { type Actor, OPERATOR, recordSecurityEvent } from '../../auth/security-events.ts';
import { ACCOUNT_PLANS, AccountStore } from '../../models/account/account.ts';
import { ApiKeyStore } from '../../models/account/api-key.ts';
import { newKey } from '../../models/key.ts';
import { accountAccessScope, unrestricted } from '../../models/store/tenancy.ts';
import { SecurityEventStore } from '../../models/account/security-event.ts';
import { BillingSubscriptionStore } from '../../models/account/billing-subscription.ts';
import { UserStore } from '../../models/account/user.ts';

import { checkChoice, checkName } from '../../schema/check-name.ts';
import { insertSubscription } from './subscription-resolver.ts';
import { isInTransaction } from '../../models/store/transaction.ts';
import { newUser, type SignIn } from '../users/new-user.ts';
import type { Service } from '../../models/store/service.ts';

/** A new account, as the operator describes it. */
export interface AccountRequest {
  readonly nickname: string;
  readonly plan?: string;
  readonly signIn?: SignIn | null;
}

/** A new account, and the only time that its first API key is seen. */
export interface CreatedAccount {
  readonly account_key: string;
  readonly owner_key: string;
  readonly api_key: string;
}

/** Creates an account with an owner, an API key and a subscription for its devices. */
export async function createAccount(service: Service, request: AccountRequest): Promise<CreatedAccount> {
  const { account_key, owner_key, insert } = await newAccount(service, request, OPERATOR);
  const { secret: api_key } = await insert(() => issueApiKey(service, account_key));
  return { account_key, owner_key, api_key };
}

/**
 * Makes an account with an owner and a subscription for its devices; `insert` stores it. The owner is written last: a failure
 * takes the rest back, and a kill leaves an account that no credential opens.
 *
 * @throws ServiceError BAD_REQUEST naming `nickname`, `plan`, `email` or `password`
 */
export async function newAccount(service: Service, request: AccountRequest, actor: Actor) {
  const account_key = newKey();
  const nickname = checkName('nickname', request.nickname);
  const account_plan = checkChoice('plan', ACCOUNT_PLANS, request.plan ?? 'premium');
  const owner = await newUser(service, account_key, request.signIn ?? null);
  /** @param addCredential stores what the account has besides, before its owner */
  const insert = async <Added>(addCredential: () => Promise<Added>): Promise<Added> => {
    const now = new Date();
    try {
      const times = { created: now, setup_complete: now, updated: now };
      const facts = { key: account_key, nickname, account_plan, ...times, owner_key: owner.key };
      await AccountStore.create(unrestricted(service), facts);
      await insertSubscription(service, account_key, 'Standard');
      const added = await addCredential();
      await owner.insert();
      await recordSecurityEvent(service, { kind: 'account_created', actor, account_key, user_key: owner.key });
      return added;
    } catch (error) {
      if (!isInTransaction()) await takeBack(service, account_key, owner.key);
      throw error;
    }
  };
  return { account_key, owner_key: owner.key, insert };
}

/** Deletes what an account that was not completed has; also the owner, whose write may have happened though its answer was lost. */
async function takeBack(service: Service, accountKey: string, ownerKey: string): Promise<void> {
  const accessScope = accountAccessScope(service, accountKey);
  await UserStore.deleteOne(accessScope, { key: ownerKey });
  await ApiKeyStore.deleteMany(accessScope);
  await BillingSubscriptionStore.deleteMany(accessScope);
  await SecurityEventStore.deleteMany(accessScope);
  await AccountStore.deleteOne(accessScope, {});
}
