import { Account } from '../../schema/account/account.ts';

import { modelOf } from '../model-of.ts';
import type { StoredField } from '../stored-fields.ts';

/** Plans that an account can have; the API keys of a `basic` account are disabled. */
export const ACCOUNT_PLANS = ['premium', 'basic'] as const;

/** One of {@link ACCOUNT_PLANS}. */
export type AccountPlan = (typeof ACCOUNT_PLANS)[number];

/** Accounts. */
export const AccountModel = modelOf(Account, {
  collection: 'accounts',
  tenancy: 'self',
  computed: ['user_count'],
  hidden: { account_plan: { type: String, enum: ACCOUNT_PLANS, default: 'premium' } as StoredField<AccountPlan> },
});
