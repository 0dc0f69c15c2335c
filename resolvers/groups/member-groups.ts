import { GroupStore } from '../../models/account/group.ts';
import { type AccessScope, accountAccessScope } from '../../models/store/tenancy.ts';
import { ServiceError } from '../../schema/service-error.ts';
import { groupMembership, type GroupMembership } from '../../models/groups/group-membership.ts';
import type { GroupName } from '../../schema/account/group-name.ts';
import { recordsByKey } from '../../models/lookup/records-by-key.ts';

/**
 * The groups of a member whose groups a caller sets. Groups out of the caller's sight stay as they are, and one who is
 * restricted to groups keeps the member in one of them, since it would be out of sight otherwise.
 *
 * @param before keys of the groups that the member is in
 * @throws ServiceError BAD_REQUEST naming `group_keys`; FORBIDDEN for a restricted caller who names none
 */
export async function memberGroups(
  accessScope: AccessScope,
  groupKeys: readonly string[],
  before: readonly string[],
): Promise<GroupMembership> {
  if (accessScope.group_keys === null) return groupMembership(groupKeys, accessScope, 'group_keys');
  if (groupKeys.length === 0) {
    throw new ServiceError('FORBIDDEN', 'A user restricted to groups must keep members in one of these groups');
  }
  await groupMembership(groupKeys, accessScope, 'group_keys');
  const accessible = await GroupStore.find(accessScope, { key: { $in: [...before] } }, { key: 1 });
  const known = new Set(accessible.map(({ key }) => key));
  const others = before.filter((key) => !known.has(key));
  return groupMembership(
    [...others, ...groupKeys],
    accountAccessScope(accessScope.service, accessScope.account_key),
    'group_keys',
  );
}

/** The groups of members by key, read by one query; those that are out of sight are left out. */
export async function groupNames(
  members: readonly { readonly group_keys: readonly string[] }[],
  accessScope: AccessScope,
): Promise<ReadonlyMap<string, GroupName>> {
  return recordsByKey(
    members.flatMap(({ group_keys }) => group_keys),
    (key) => GroupStore.find(accessScope, { key }, { key: 1, name: 1 }),
  );
}
