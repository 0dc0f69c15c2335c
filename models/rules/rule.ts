import { Rule } from '../../schema/rules/rule.ts';

import { AccountModel } from '../account/account.ts';
import { modelOf, type StoredIn } from '../model-of.ts';
import { required } from '../stored-fields.ts';
import { type AccessScope, accountAccessScope } from '../tenancy.ts';

/** Rules. What one says never changes, so that its events follow from it and from positions alone. */
export const RuleModel = modelOf(Rule, {
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
export type StoredRule = StoredIn<typeof RuleModel>;

/** Says that rules of an account have changed, once what was written is there. */
export async function rulesChanged(account_key: string): Promise<void> {
  const accessScope = accountAccessScope(account_key);
  await AccountModel.updateOne({}, { $inc: { rules_revision: 1 } }).setOptions({ accessScope });
}

/** Number of changes of the rules of an account; 0 where it never had any. */
export async function readRulesRevision(accessScope: AccessScope): Promise<number> {
  const account = await AccountModel.findOne({}, 'rules_revision', { accessScope }).lean();
  return account?.rules_revision ?? 0;
}
