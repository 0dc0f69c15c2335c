import { IngestKey } from '../../schema/vehicles/ingest-key.ts';

import { modelOf } from '../model-of.ts';

/** Fields of an ingest key that never leave. */
interface IngestKeyHidden {
  readonly account_key: string;
  /** The device whose key it is; null for a forwarder's, which speaks for all devices of the account. */
  readonly device_key: string | null;
  readonly secret_hash: string;
}

/** Keys of devices and forwarders. */
export const IngestKeyModel = modelOf<IngestKey, IngestKeyHidden>(IngestKey, {
  collection: 'ingest_keys',
  tenancy: 'account',
  hidden: {
    account_key: { type: String, required: true },
    device_key: { type: String, default: null },
    secret_hash: { type: String, required: true },
  },
  indexes: [[{ secret_hash: 1 }, { unique: true }], [{ account_key: 1, device_key: 1, _id: 1 }]],
});
