import { Account } from '../schema/account.ts';

import { modelOf } from './model-of.ts';

/** What the account has bought: a `basic` account's API keys open nothing. */
export type AccountPlan = 'premium' | 'basic';

/** Fields of an account that never leave. */
interface AccountHidden {
  readonly account_plan: AccountPlan;
}

/** Accounts. */
export const AccountModel = modelOf<Account, AccountHidden, 'user_count'>(Account, {
  collection: 'accounts',
  tenancy: 'self',
  computed: ['user_count'],
  hidden: { account_plan: { type: String, enum: ['premium', 'basic'], default: 'premium' } },
});
