import type { StoredUser } from '../../models/account/user.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import type { User } from '../../schema/account/user.ts';

import { groupNames } from '../groups/member-groups.ts';
import { tagsByKey } from '../../models/lookup/tags-by-key.ts';
import { once } from '../../schema/once.ts';

/** A user as it is read to be shown. */
export type ReadUser = Omit<User, 'groups' | 'tags'> & Pick<StoredUser, 'tag_keys'>;

/** Adds to users their groups and tags, each by one query; groups that are out of sight are left out. */
export async function completeUsers(users: readonly ReadUser[], accessScope: AccessScope): Promise<User[]> {
  const groups = once(() => groupNames(users, accessScope));
  const tags = once(() => tagsByKey(accessScope.service, accessScope.account_key, users));
  const seen = accessScope.group_keys === null ? null : await groups();
  return users.map(({ tag_keys, ...user }) => ({
    ...user,
    group_keys: user.group_keys.filter((key) => seen === null || seen.has(key)),
    groups: async () => {
      const found = await groups();
      return user.group_keys.flatMap((key) => found.get(key) ?? []);
    },
    tags: async () => {
      const found = await tags();
      return tag_keys.flatMap((key) => found.get(key) ?? []);
    },
  }));
}
