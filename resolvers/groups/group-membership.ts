import { GroupModel } from '../../models/account/group.ts';
import type { AccessScope } from '../../models/tenancy.ts';

import { unknownKey } from '../input/unknown-key.ts';

/** The groups of a member as they are stored: those it was put into, and these with all above them. */
export interface GroupMembership {
  readonly group_keys: string[];
  readonly group_path: string[];
}

/**
 * Looks groups up.
 *
 * @throws ServiceError BAD_REQUEST naming the first `group` key that is not a group of the account
 */
export async function groupMembership(
  groupKeys: readonly string[],
  accessScope: AccessScope,
): Promise<GroupMembership> {
  const group_keys = [...new Set(groupKeys)];
  if (group_keys.length === 0) return { group_keys, group_path: [] };
  const found = await GroupModel.find({ key: { $in: group_keys } }, { key: 1, group_path: 1 }, { accessScope }).lean();
  const known = new Set(found.map(({ key }) => key));
  for (const key of group_keys) {
    if (!known.has(key)) throw unknownKey('group', 'a group of the account', key);
  }
  return { group_keys, group_path: [...new Set(found.flatMap(({ group_path }) => group_path))] };
}
