import { GroupStore, type StoredGroup } from '../../models/account/group.ts';
import { newKey } from '../../models/key.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { MAX_TREE_DEPTH } from '../../schema/account/group.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';

import { checkName } from '../../schema/check-name.ts';
import { moveGroup } from './move-group.ts';
import { documentId } from '../../models/store/plain-store.ts';

/**
 * Creates a group, under an active group or, where none is named, under the account.
 * @throws ServiceError FORBIDDEN for a user restricted to groups who names none; BAD_REQUEST naming a parameter
 */
export async function createGroup(
  accessScope: AccessScope,
  name: string,
  parentKey: string | null | undefined,
): Promise<StoredGroup> {
  const { account_key, group_keys } = accessScope;
  if (parentKey == null && group_keys !== null) {
    throw new ServiceError('FORBIDDEN', 'A user restricted to groups may create groups only below them');
  }
  const trimmed = checkName('name', name);
  const parent = parentKey == null ? null : await GroupStore.findOne(accessScope, { key: parentKey, active: true });
  if (parentKey != null && !parent) {
    throw new ServiceError('BAD_REQUEST', 'parent_group_key must name an active group');
  }
  const tree_depth = (parent?.tree_depth ?? 1) + 1;
  if (tree_depth > MAX_TREE_DEPTH) {
    throw new ServiceError('BAD_REQUEST', `parent_group_key is at level ${MAX_TREE_DEPTH}, the deepest there is`);
  }
  const key = newKey();
  const now = new Date();
  const place = { parent_key: parent?.key ?? null, group_path: [...(parent?.group_path ?? []), key], tree_depth };
  const times = { created: now, updated: now, moved_at: null };
  const _id = documentId();
  return GroupStore.insertStored(accessScope, {
    _id,
    key,
    name: trimmed,
    active: true,
    ...times,
    revision: 0,
    account_key,
    ...place,
  });
}

/** Change of a group; omitted fields stay unchanged. */
export interface GroupChange {
  readonly name?: string | undefined;
  /** Deactivated groups are hidden from listings; what their members may see stays as it is. */
  readonly active?: boolean | undefined;
  /** The group above it; null for the account itself. */
  readonly parent_group_key?: string | null | undefined;
}

/**
 * Renames, deactivates, activates or moves a group. A caller who is restricted to groups changes only those below them.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN for a group that is not below one of the caller's; BAD_REQUEST naming a parameter
 */
export async function updateGroup(accessScope: AccessScope, key: string, change: GroupChange): Promise<void> {
  const { name, active, parent_group_key } = change;
  const { group_keys } = accessScope;
  const group = await GroupStore.findOne(accessScope, { key }, { group_path: 1 });
  if (!group) throw notFound('group');
  const isBelow = group_keys === null || group.group_path.slice(0, -1).some((above) => group_keys.includes(above));
  if (!isBelow || (parent_group_key === null && group_keys !== null)) {
    throw new ServiceError('FORBIDDEN', 'A user restricted to groups may change groups only below them');
  }
  const fields = {
    ...(name !== undefined && { name: checkName('name', name) }),
    ...(active !== undefined && { active }),
  };
  if (parent_group_key !== undefined) await moveGroup(accessScope, key, parent_group_key);
  if (Object.keys(fields).length === 0) return;
  await GroupStore.updateOne(accessScope, { key }, { ...fields, updated: new Date() });
}
