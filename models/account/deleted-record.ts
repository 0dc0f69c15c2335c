import type { Service } from '../store/service.ts';
import { accountAccessScope } from '../store/tenancy.ts';
import { Schema } from 'mongoose';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, required, type StoredField } from '../store/stored-fields.ts';

/** Kinds of records that stay for a while when they are deleted. All but subscriptions can be restored. */
export type DeletedKind = 'vehicle' | 'user' | 'account' | 'subscription';

/**
 * Deleted records, moved out of their collections, so that no query finds them, and their keys and names become free.
 * Dependent data, such as trips, stays in place until they are purged.
 */
export const DeletedRecordStore = storeOf('DeletedRecord', {
  collection: 'deleted_records',
  tenancy: 'groups',
  hidden: {
    kind: required(String) as StoredField<DeletedKind>,
    key: required(String),
    account_key: required(String),
    /** As of the record. */
    group_path: defaulting([String], []),
    deleted_at: required(Date),
    /** Keys of the devices that were in a vehicle. */
    device_keys: defaulting([String], []),
    /** True for a user who was deleted with the whole account. */
    with_account: defaulting(Boolean, false),
    /** The document as it was stored; null until it has left its collection. */
    document: { type: Schema.Types.Mixed, default: null } as StoredField<Readonly<Record<string, unknown>> | null>,
  },
  indexes: [[{ deleted_at: 1 }], [{ account_key: 1, kind: 1 }]],
});

/** A deleted record as it is read from the database. */
export type StoredDeletedRecord = StoredIn<typeof DeletedRecordStore>;

/** Returns true if an account is being removed, or was removed and can be restored. */
export async function isRemoved(service: Service, key: string): Promise<boolean> {
  const going = { $or: [{ kind: 'account' as const }, { with_account: true }] };
  return (await DeletedRecordStore.countDocuments(accountAccessScope(service, key), going)) > 0;
}
