import { type DeletedKind, DeletedRecordStore, type StoredDeletedRecord } from '../../models/account/deleted-record.ts';
import { isDuplicateKey } from '../../models/store/duplicate-key.ts';
import { type AccessScope, accountAccessScope } from '../../models/store/tenancy.ts';
import { permissionsChanged } from '../../models/store/permission-stamp.ts';
import type { Deletion } from '../../schema/deletion.ts';
import { notFound } from '../../schema/service-error.ts';
import type { Store } from '../../models/store/store.ts';
import type { Service } from '../../models/store/service.ts';

/** Days within which deleted records can be restored. */
export const GRACE_DAYS = 30;

const DAY_MS = 86_400_000;

interface StoredRecord {
  readonly key: string;
  readonly account_key: string;
  readonly group_path: readonly string[];
}

/** Records of a kind: their model, and the work that goes with a deletion. */
export interface DeletableKind {
  readonly kind: DeletedKind;
  readonly model: Pick<Store<unknown, unknown>, 'findOneStored' | 'insertStored' | 'takeStored'>;
  /** Called before the record is deleted; returns keys of devices to be stored with it. Idempotent. */
  readonly before?: (service: Service, record: StoredRecord) => Promise<readonly string[]>;
  /** True if the records are deleted and restored with their account. */
  readonly goesWithAccount?: boolean;
}

/**
 * Deletes a record in the access scope: from now on nothing finds it, and within {@link GRACE_DAYS} it can be restored.
 * If a kill interrupts the deletion, the record still exists, and deleting it again completes the work.
 * @throws ServiceError NOT_FOUND
 */
export async function deleteRecord(
  { kind, model, before, goesWithAccount: with_account = false }: DeletableKind,
  accessScope: AccessScope,
  key: string,
): Promise<Deletion> {
  const found = await model.findOneStored(accessScope, { key }, {});
  if (!found) throw notFound(kind);
  const record = found as unknown as StoredRecord;
  const device_keys = (await before?.(accessScope.service, record)) ?? [];
  const { group_path = [] } = record;
  const { account_key } = accessScope;
  const kept = { kind, account_key, group_path: [...group_path], deleted_at: new Date(), with_account };
  const ofAccount = accountAccessScope(accessScope.service, account_key);
  await DeletedRecordStore.updateOne(
    ofAccount,
    { key },
    { $set: { ...kept, document: found }, $addToSet: { device_keys: { $each: [...device_keys] } } },
    { upsert: true },
  );
  const last = await model.takeStored(accessScope, key);
  // It may have been changed since it was read.
  if (last) await DeletedRecordStore.updateOne(ofAccount, { key }, { document: last });
  return { key, deleted: true };
}

/**
 * Restores a deleted record.
 * @throws ServiceError NOT_FOUND if it was not deleted, or too long ago; the error of `taken` if another record has taken a
 * unique value meanwhile, such as an e-mail address
 */
export async function restoreRecord(
  { kind, model }: DeletableKind,
  accessScope: AccessScope,
  key: string,
  taken: () => Error = () => notFound(kind),
): Promise<StoredDeletedRecord> {
  const since = new Date(Date.now() - GRACE_DAYS * DAY_MS);
  const deleted = await DeletedRecordStore.findOne(accessScope, { key, kind, deleted_at: { $gt: since } });
  if (!deleted?.document) throw notFound(kind);
  try {
    await model.insertStored(accessScope, { ...deleted.document });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Already restored, unless another record conflicts. Not every engine says which index has rejected it.
    if (!(await model.findOneStored(accessScope, { key }, {}))) throw taken();
  }
  await permissionsChanged(accessScope.service);
  await DeletedRecordStore.deleteOne(accessScope, { key });
  return deleted;
}

/** Keys of the deleted vehicles of an account that are not purged yet: their trips still exist. */
export async function deletedVehicleKeys(accessScope: AccessScope): Promise<string[]> {
  return DeletedRecordStore.distinct(accountAccessScope(accessScope.service, accessScope.account_key), 'key', {
    kind: 'vehicle',
  });
}
