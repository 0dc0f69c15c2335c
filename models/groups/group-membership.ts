import { GroupStore } from '../account/group.ts';
import { type AccessScope, accountAccessScope } from '../store/tenancy.ts';

import { unknownKey } from '../lookup/unknown-key.ts';

/** The stored groups of a member: its own groups, and these with all groups above them. */
export interface GroupMembership {
  readonly group_keys: string[];
  readonly group_path: string[];
}

/**
 * Looks groups up.
 *
 * @param parameter that the keys come from
 * @throws ServiceError BAD_REQUEST naming it and the first key that is not a group in the access scope
 */
export async function groupMembership(
  groupKeys: readonly string[],
  accessScope: AccessScope,
  parameter = 'group',
): Promise<GroupMembership> {
  const group_keys = [...new Set(groupKeys)];
  if (group_keys.length === 0) return { group_keys, group_path: [] };
  const found = await GroupStore.find(accessScope, { key: { $in: group_keys } }, { key: 1, group_path: 1 });
  const known = new Set(found.map(({ key }) => key));
  for (const key of group_keys) {
    if (!known.has(key)) throw unknownKey(parameter, 'a group of the account', key);
  }
  return { group_keys, group_path: [...new Set(found.flatMap(({ group_path }) => group_path))] };
}

/**
 * Returns true if a member with other groups sees more than before: a group that was neither among its groups nor below one of
 * them, or everything.
 */
export async function widensAccess(
  before: Pick<GroupMembership, 'group_keys'>,
  after: Pick<GroupMembership, 'group_keys'>,
  { service, account_key }: AccessScope,
): Promise<boolean> {
  if (before.group_keys.length === 0) return false;
  if (after.group_keys.length === 0) return true;
  const within = { key: { $in: [...after.group_keys] }, group_path: { $in: [...before.group_keys] } };
  const accessScope = accountAccessScope(service, account_key);
  return (await GroupStore.countDocuments(accessScope, within)) < new Set(after.group_keys).size;
}
