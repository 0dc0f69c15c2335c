import { IngestRejection } from '../../schema/vehicles/ingest-rejection.ts';

import { newKey } from '../key.ts';
import { isDuplicateKey } from '../store/duplicate-key.ts';
import { storeOf } from '../store/store-of.ts';
import { required } from '../store/stored-fields.ts';
import type { AccessScope } from '../store/tenancy.ts';

/** Days for which a rejection is kept after the last position. */
const KEPT_DAYS = 7;
/** Maximum number of unknown serials of an account; those that were sent last are kept. */
export const MAX_UNKNOWN_SERIALS = 100;

/** Rejected positions: one record for each device, or unknown serial, and reason. */
export const IngestRejectionStore = storeOf(IngestRejection, {
  collection: 'ingest_rejections',
  tenancy: 'account',
  computed: ['outcome', 'advice', 'first_received', 'last_received'],
  hidden: { account_key: required(String) },
  indexes: [
    [{ account_key: 1, _id: 1 }],
    [{ account_key: 1, device_key: 1, serial: 1, reason: 1 }, { unique: true }],
    [{ last: 1 }, { expireAfterSeconds: KEPT_DAYS * 86_400 }],
  ],
});

/** Rejected positions of one reason. */
export type CountedRejection = Pick<
  IngestRejection,
  'device_key' | 'serial' | 'reason' | 'path' | 'count' | 'detail' | 'sample'
>;

/** Adds rejected positions to those of the same device, or serial, and reason. */
export async function addRejection(accessScope: AccessScope, rejection: CountedRejection): Promise<void> {
  const { count, path, detail, sample, ...those } = rejection;
  const now = new Date();
  const add = () =>
    IngestRejectionStore.updateOne(
      accessScope,
      those,
      {
        $inc: { count },
        $set: { last: now, path, detail, sample },
        $setOnInsert: { key: newKey(), account_key: accessScope.account_key, first: now },
      },
      { upsert: true },
    );
  // Two requests may insert it at once: it is there for the second attempt.
  const { upsertedCount } = await add().catch((error: unknown) => {
    if (isDuplicateKey(error)) return add();
    throw error;
  });
  if (upsertedCount > 0 && those.device_key === null) await removeOldSerials(accessScope);
}

async function removeOldSerials(accessScope: AccessScope): Promise<void> {
  const unknown = { device_key: null };
  const old = await IngestRejectionStore.find(accessScope, unknown, 'key').sort({ last: -1 }).skip(MAX_UNKNOWN_SERIALS);
  if (old.length > 0) await IngestRejectionStore.deleteMany(accessScope, { key: { $in: old.map(({ key }) => key) } });
}
