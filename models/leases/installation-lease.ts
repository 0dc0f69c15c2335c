import mongoose from 'mongoose';

import { collectionOptions } from '../store/collection-options.ts';
import { insertIfAbsent } from '../store/duplicate-key.ts';
import type { LeasePlace, StoredLease } from './lease.ts';
import { PlainStore } from '../store/plain-store.ts';
import type { Service } from '../store/service.ts';

/** Work that is done by one process of the whole installation, on however many servers it runs. */
export type InstallationWork = 'housekeeping';

interface StoredInstallationLease {
  readonly _id: InstallationWork;
  readonly lease: StoredLease | null;
}

const schema = new mongoose.Schema<StoredInstallationLease>(
  {
    _id: { type: String, required: true },
    lease: { type: new mongoose.Schema({ holder: String, until: Date }, { _id: false }), default: null },
  },
  collectionOptions('leases'),
);

/** Leases of what one process of the installation does, by the name of the work. */
export const InstallationLeaseStore = new PlainStore<StoredInstallationLease>('InstallationLease', schema);

/** The place of the lease for some work. */
export function installationLease(service: Service, work: InstallationWork): LeasePlace {
  return {
    read: async () => {
      const found = await InstallationLeaseStore.findOne(service, { _id: work });
      if (found) return found.lease;
      await insertIfAbsent(() => InstallationLeaseStore.create(service, { _id: work, lease: null }));
      return null;
    },
    replace: async (holder, lease) => {
      const { matchedCount } = await InstallationLeaseStore.updateOne(
        service,
        { _id: work, 'lease.holder': holder },
        { lease },
      );
      return matchedCount > 0;
    },
  };
}
