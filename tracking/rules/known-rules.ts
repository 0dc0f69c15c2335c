import { RuleStore, readRulesRevision, type StoredRule } from '../../models/rules/rule.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';

import { BY_REVISION, StampedCache } from '../../models/stamped-cache.ts';
import { AccountRules, NO_RULES } from './account-rules.ts';
import { type Service, perService } from '../../models/store/service.ts';

const known = perService(() => new StampedCache<AccountRules, number>(BY_REVISION));

/** The rules of an account as they were at a revision, or are now. No database command for an account that never had any. */
export async function rulesAt(service: Service, account_key: string, revision: number): Promise<AccountRules> {
  if (revision === 0) return NO_RULES;
  return known(service).get(account_key, revision, () => readRules(service, account_key, revision));
}

/** The rules of an account as they are now. */
export async function rulesNow(service: Service, account_key: string): Promise<AccountRules> {
  return rulesAt(service, account_key, await readRulesRevision(accountAccessScope(service, account_key)));
}

const PROJECTION = { _id: 0, key: 1, speed_limit: 1, silent_minutes: 1, vehicle_keys: 1, since: 1 } as const;

async function readRules(service: Service, account_key: string, revision: number): Promise<AccountRules> {
  const found = await RuleStore.findStored(
    accountAccessScope(service, account_key),
    {},
    { projection: PROJECTION },
  ).toArray();
  return new AccountRules(revision, found as unknown as Pick<StoredRule, Exclude<keyof typeof PROJECTION, '_id'>>[]);
}
