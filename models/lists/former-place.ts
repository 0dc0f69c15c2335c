import { DeletedRecordStore } from '../account/deleted-record.ts';
import { ChangeStore } from '../changes/change.ts';
import type { DocumentId, FilterOf } from '../store/plain-store.ts';
import type { Store } from '../store/store.ts';
import { accountAccessScope, isUnrestricted, type Scope } from '../store/tenancy.ts';

/** Kinds of records whose place is known by their key when a caller no longer sees them. */
export type FormerKind = 'device' | 'subscription' | 'user' | 'vehicle';

/** A record that is not in its collection any more, or not in an access scope. */
interface Former<T> {
  readonly kind: FormerKind;
  readonly key: string;
  readonly filter: FilterOf<T>;
}

/**
 * The place, in order of creation, of a record that a caller has seen: of one that is deleted, or of one that has left its groups,
 * of which the log of changes informs it. Null for any other.
 */
export async function formerPlace<T>(
  model: Store<T, unknown>,
  accessScope: Scope,
  { kind, key, filter }: Former<T>,
): Promise<DocumentId | null> {
  const asStored = Object.entries(filter).map(([field, condition]) => [`document.${field}`, condition]);
  const those: object = { kind, key, ...Object.fromEntries(asStored) };
  const deleted = await DeletedRecordStore.findOne(accessScope, those, { 'document._id': 1 });
  if (deleted?.document) return deleted.document._id as DocumentId;
  if (isUnrestricted(accessScope) || accessScope.group_keys === null || kind === 'subscription') return null;
  const { service, account_key, group_keys } = accessScope;
  const ofAccount = accountAccessScope(service, account_key);
  const found = await model.findOne(ofAccount, filter, { _id: 1, logged_path: 1 });
  const { _id, logged_path = [] } = (found ?? {}) as { readonly _id?: DocumentId; readonly logged_path?: string[] };
  if (!_id) return null;
  // What the log has no entry of yet is noted in the record.
  const hasLeft = logged_path.some((group) => group_keys.includes(group));
  return hasLeft || (await ChangeStore.countDocuments(accessScope, { kind, key })) > 0 ? _id : null;
}
