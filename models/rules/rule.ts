import { Rule } from '../../schema/rules/rule.ts';

import { AccountStore } from '../account/account.ts';
import { storeOf, type StoredIn } from '../store/store-of.ts';
import { required } from '../store/stored-fields.ts';
import { type AccessScope, accountAccessScope } from '../store/tenancy.ts';
import type { Service } from '../store/service.ts';

/** Rules. The condition of a rule never changes, so that its events follow from it and from positions alone. */
export const RuleStore = storeOf(Rule, {
  collection: 'rules',
  tenancy: 'account',
  hidden: {
    account_key: required(String),
    /** Events begin at positions from this time on. */
    since: required(Date),
  },
  indexes: [[{ account_key: 1, _id: 1 }]],
});

/** A rule as it is read from the database. */
export type StoredRule = StoredIn<typeof RuleStore>;

/** Records that rules of an account have changed, after the write. */
export async function rulesChanged(service: Service, account_key: string): Promise<void> {
  const accessScope = accountAccessScope(service, account_key);
  await AccountStore.updateOne(accessScope, {}, { $inc: { rules_revision: 1 } });
}

/** Number of changes of the rules of an account; 0 if it never had any. */
export async function readRulesRevision(accessScope: AccessScope): Promise<number> {
  const account = await AccountStore.findOne(accessScope, {}, 'rules_revision');
  return account?.rules_revision ?? 0;
}
