import { GroupStore } from '../../models/account/group.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import type { GroupName } from '../../schema/account/group-name.ts';

import { recordsByKey } from '../pages/records-by-key.ts';

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
