import type { mongo } from 'mongoose';

import { Lease, type LeasePlace } from '../leases/lease.ts';

import { type DataVersion, dataVersions } from './data-version.ts';

/** Another process has taken over: work of this one no longer counts. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
  constructor() {
    super('Another process has taken over the migration');
  }
}

/** Right to run migrations, which one process has at a time. */
export interface HeldLease {
  /**
   * Changes the version document, if the lease is still held and the document is as expected.
   * @throws LeaseLostError otherwise, without changing anything
   */
  update(update: mongo.UpdateFilter<DataVersion>, expected?: mongo.Filter<DataVersion>): Promise<void>;
}

/** Runs work under the lease, which is renewed and finally released; false if another process holds it. */
export async function withMigrationLease(db: mongo.Db, work: (lease: HeldLease) => Promise<void>): Promise<boolean> {
  const versions = dataVersions(db);
  const lease = await Lease.take(placeIn(versions));
  if (lease === null) return false;
  const held = { _id: 'data', 'lease.holder': lease.holder } as const;
  try {
    await work({
      update: async (update, expected = {}) => {
        const { matchedCount } = await versions.updateOne({ $and: [held, expected] }, update);
        if (matchedCount === 0) throw new LeaseLostError();
      },
    });
    return true;
  } finally {
    await lease.giveBack().catch(() => undefined);
  }
}

function placeIn(versions: mongo.Collection<DataVersion>): LeasePlace {
  return {
    read: async () => {
      const data = await versions.findOne({ _id: 'data' });
      return data ? data.lease && { holder: data.lease.holder, until: data.lease.expires } : undefined;
    },
    replace: async (holder, lease) => {
      const stored = lease && { holder: lease.holder, expires: lease.until };
      const filter = { _id: 'data' as const, 'lease.holder': holder };
      return (await versions.updateOne(filter, { $set: { lease: stored } })).matchedCount > 0;
    },
  };
}
