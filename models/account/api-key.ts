import { ApiKey } from '../../schema/account/api-key.ts';

import { modelOf } from '../model-of.ts';

/** Fields of an API key that never leave. */
interface ApiKeyHidden {
  readonly account_key: string;
  readonly secret_hash: string;
}

/** API keys. */
export const ApiKeyModel = modelOf<ApiKey, ApiKeyHidden>(ApiKey, {
  collection: 'api_keys',
  tenancy: 'account',
  hidden: {
    account_key: { type: String, required: true },
    secret_hash: { type: String, required: true },
  },
  indexes: [[{ secret_hash: 1 }, { unique: true }], [{ account_key: 1, _id: 1 }]],
});
