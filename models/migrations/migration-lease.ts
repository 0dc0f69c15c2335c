import type { mongo } from 'mongoose';

import { newKey } from '../key.ts';

import { type DataVersion, dataVersions } from './data-version.ts';

/** Age at which a lease that was not renewed may be taken over. */
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 3000;

/** Another process has taken over: nothing that this one still does counts. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
  constructor() {
    super('Another process has taken the migration over');
  }
}

/** Right to run migrations, which one process has at a time. */
export interface HeldLease {
  /**
   * Changes the version document, if the lease is still held and the document is as expected.
   * @throws LeaseLostError where either is not so; then nothing is changed
   */
  update(update: mongo.UpdateFilter<DataVersion>, expected?: mongo.Filter<DataVersion>): Promise<void>;
}

/** Works under the lease, which is renewed and finally given back; false where another process holds it. */
export async function withMigrationLease(db: mongo.Db, work: (lease: HeldLease) => Promise<void>): Promise<boolean> {
  const versions = dataVersions(db);
  const holder = newKey();
  const isFree = { $or: [{ lease: null }, { 'lease.expires': { $lte: new Date() } }] };
  const lease = { holder, expires: expiry() };
  const { matchedCount } = await versions.updateOne({ _id: 'data', ...isFree }, { $set: { lease } });
  if (matchedCount === 0) return false;

  const held = { _id: 'data', 'lease.holder': holder } as const;
  const renew = () => versions.updateOne(held, { $set: { 'lease.expires': expiry() } });
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_EVERY_MS);
  try {
    await work({
      update: async (update, expected = {}) => {
        const { matchedCount } = await versions.updateOne({ $and: [held, expected] }, update);
        if (matchedCount === 0) throw new LeaseLostError();
      },
    });
    return true;
  } finally {
    clearInterval(timer);
    await versions.updateOne(held, { $set: { lease: null } }).catch(() => undefined);
  }
}

function expiry(): Date {
  return new Date(Date.now() + LEASE_MS);
}
