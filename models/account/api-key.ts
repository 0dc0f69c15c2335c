import { ApiKey } from '../../schema/account/api-key.ts';

import { modelOf } from '../model-of.ts';
import { required } from '../stored-fields.ts';

/** API keys. */
export const ApiKeyModel = modelOf(ApiKey, {
  collection: 'api_keys',
  tenancy: 'account',
  hidden: { account_key: required(String), secret_hash: required(String) },
  indexes: [[{ secret_hash: 1 }, { unique: true }], [{ account_key: 1, _id: 1 }]],
});
