import mongoose from 'mongoose';

import { GroupModel, type StoredGroup } from '../../models/account/group.ts';
import { newKey } from '../../models/key.ts';
import { type AccessScope, insertStored, UNRESTRICTED } from '../../models/tenancy.ts';
import { MAX_TREE_DEPTH } from '../../schema/account/group.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { checkName } from '../input/check-name.ts';
import { existingAccountScope } from '../input/any-record.ts';
import { unknownKey } from '../input/unknown-key.ts';

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
  const parent =
    parentKey == null ? null : await GroupModel.findOne({ key: parentKey, active: true }, null, { accessScope }).lean();
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
  const times = { created: now, updated: now };
  const _id = new mongoose.Types.ObjectId();
  return insertStored(GroupModel, { _id, key, name: trimmed, active: true, ...times, account_key, ...place });
}

/** A new group, as the operator describes it. */
export interface GroupRequest {
  readonly account: string;
  readonly name: string;
  /** An active group of the account; the account itself unless given. */
  readonly parent?: string | undefined;
}

/** Adds a group to an account, as its owner would. Returns the key of the group. */
export async function addGroup({ account, name, parent }: GroupRequest): Promise<string> {
  const accessScope = await existingAccountScope(account);
  if (parent !== undefined && (await GroupModel.countDocuments({ key: parent }, { accessScope })) === 0) {
    throw unknownKey('parent', 'a group of the account', parent);
  }
  return (await createGroup(accessScope, name, parent)).key;
}

/** Change of a group by the operator; what is left out stays as it is. */
export interface GroupChange {
  readonly name?: string | undefined;
  /** Deactivated groups are hidden from listings; what their members may see stays as it is. */
  readonly active?: boolean | undefined;
}

/** Renames, deactivates or activates a group. */
export async function updateGroup(key: string, { name, active }: GroupChange): Promise<void> {
  const change = {
    ...(name !== undefined && { name: checkName('name', name) }),
    ...(active !== undefined && { active }),
    updated: new Date(),
  };
  const { matchedCount } = await GroupModel.updateOne({ key }, change).setOptions({ accessScope: UNRESTRICTED });
  if (matchedCount === 0) throw unknownKey('group', 'a group', key);
}
