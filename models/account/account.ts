import { Account } from '../../schema/account/account.ts';

import { modelOf } from '../model-of.ts';

/** Plans that an account can have; the API keys of a `basic` account are disabled. */
export const ACCOUNT_PLANS = ['premium', 'basic'] as const;

/** One of {@link ACCOUNT_PLANS}. */
export type AccountPlan = (typeof ACCOUNT_PLANS)[number];

/** Fields of an account that never leave. */
interface AccountHidden {
  readonly account_plan: AccountPlan;
}

/** Accounts. */
export const AccountModel = modelOf<Account, AccountHidden, 'user_count'>(Account, {
  collection: 'accounts',
  tenancy: 'self',
  computed: ['user_count'],
  hidden: { account_plan: { type: String, enum: ACCOUNT_PLANS, default: 'premium' } },
});
