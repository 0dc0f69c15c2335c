import { ApiKey } from '../../schema/account/api-key.ts';

import { AccountModel, type AccountPlan } from './account.ts';
import { fillDefaults } from '../defaults-on-read.ts';
import { modelOf, type StoredIn } from '../model-of.ts';
import { defaulting, required } from '../stored-fields.ts';
import { SharedReads } from '../shared-reads.ts';
import { identifyBySecret } from '../tenancy.ts';
import { theOne, projectOf } from '../the-one.ts';

/** API keys. */
export const ApiKeyModel = modelOf(ApiKey, {
  collection: 'api_keys',
  tenancy: 'account',
  decides: ['revoked'],
  hidden: {
    account_key: required(String),
    secret_hash: required(String),
    /** Counts what must not happen to it beside a removal: see `keep-one.ts`. */
    revision: defaulting(Number, 0),
  },
  indexes: [[{ secret_hash: 1 }, { unique: true }], [{ account_key: 1, _id: 1 }]],
});

const KEY_FIELDS = { key: 1, account_key: 1, revoked: 1, last_used: 1 } as const;
const PLAN_FIELDS = { account_plan: 1 } as const;

/** An API key with the plan of its account. */
export interface KeyAndPlan extends Pick<StoredIn<typeof ApiKeyModel>, keyof typeof KEY_FIELDS> {
  readonly account: { readonly account_plan: AccountPlan };
}

const WITH_PLAN = [
  ...theOne(AccountModel.collection.name, 'account_key', 'key', 'account'),
  projectOf({ ...KEY_FIELDS, account: PLAN_FIELDS }),
];

const reads = new SharedReads<KeyAndPlan | undefined>();

/**
 * Reads an API key with the plan of its account by one command of the driver, since every request of an owner asks for
 * them.
 */
export function findKeyAndPlan(secretHash: string): Promise<KeyAndPlan | undefined> {
  return reads.read(secretHash, async () => {
    const [found] = await identifyBySecret<KeyAndPlan>(ApiKeyModel, secretHash, WITH_PLAN);
    if (!found) return undefined;
    fillDefaults(ApiKeyModel.schema, found, KEY_FIELDS);
    fillDefaults(AccountModel.schema, found.account, PLAN_FIELDS);
    return found;
  });
}
