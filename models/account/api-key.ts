import { ApiKey } from '../../schema/account/api-key.ts';

import { AccountStore, type AccountPlan } from './account.ts';
import { fillDefaults } from '../store/defaults-on-read.ts';
import { storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, required } from '../store/stored-fields.ts';
import { SharedReads } from '../shared-reads.ts';
import { joinOne, projectOf } from '../store/join-stages.ts';
import { perService, type Service } from '../store/service.ts';

/** API keys. */
export const ApiKeyStore = storeOf(ApiKey, {
  collection: 'api_keys',
  tenancy: 'account',
  decides: ['revoked'],
  hidden: {
    account_key: required(String),
    secret_hash: required(String),
    /** Revision; counts changes that must not coincide with a removal: see `keep-one.ts`. */
    revision: defaulting(Number, 0),
  },
  indexes: [[{ secret_hash: 1 }, { unique: true }], [{ account_key: 1, _id: 1 }]],
});

const KEY_FIELDS = { key: 1, account_key: 1, revoked: 1, last_used: 1 } as const;
const PLAN_FIELDS = { account_plan: 1 } as const;

/** An API key with the plan of its account. */
export interface KeyAndPlan extends Pick<StoredIn<typeof ApiKeyStore>, keyof typeof KEY_FIELDS> {
  readonly account: { readonly account_plan: AccountPlan };
}

const WITH_PLAN = [
  ...joinOne(AccountStore.collection, 'account_key', 'key', 'account'),
  projectOf({ ...KEY_FIELDS, account: PLAN_FIELDS }),
];

const reads = perService(() => new SharedReads<KeyAndPlan | undefined>());

/**
 * Reads an API key with the plan of its account by one command of the driver, since every request of an owner needs
 * them.
 */
export function findKeyAndPlan(service: Service, secretHash: string): Promise<KeyAndPlan | undefined> {
  return reads(service).read(secretHash, async () => {
    const [found] = await ApiKeyStore.identifyBySecret<KeyAndPlan>(service, secretHash, WITH_PLAN);
    if (!found) return undefined;
    fillDefaults(ApiKeyStore.schema, found, KEY_FIELDS);
    fillDefaults(AccountStore.schema, found.account, PLAN_FIELDS);
    return found;
  });
}
