import { IngestKey } from '../../schema/account/api-key.ts';

import { modelOf } from '../model-of.ts';
import { nullable, required } from '../stored-fields.ts';

/** Keys of devices and forwarders. */
export const IngestKeyModel = modelOf(IngestKey, {
  collection: 'ingest_keys',
  tenancy: 'account',
  hidden: {
    account_key: required(String),
    /** The device whose key it is; null for a forwarder's, which speaks for all devices of the account. */
    device_key: nullable(String),
    secret_hash: required(String),
  },
  indexes: [[{ secret_hash: 1 }, { unique: true }], [{ account_key: 1, device_key: 1, _id: 1 }]],
});
