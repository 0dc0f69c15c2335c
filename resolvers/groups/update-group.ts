import { GroupModel } from '../../models/account/group.ts';
import { UNRESTRICTED } from '../../models/tenancy.ts';

import { checkName } from '../input/check-name.ts';
import { unknownKey } from '../input/unknown-key.ts';

/** What the operator changes of a group; what is left out stays as it is. */
export interface GroupChange {
  readonly name?: string;
  /** Deactivated groups are hidden from listings; what their members may see stays as it is. */
  readonly active?: boolean;
}

/** Renames, deactivates or activates a group. */
export async function updateGroup(groupKey: string, { name, active }: GroupChange): Promise<void> {
  const change = {
    ...(name === undefined ? {} : { name: checkName('name', name) }),
    ...(active === undefined ? {} : { active }),
    updated: new Date(),
  };
  const { matchedCount } = await GroupModel.updateOne({ key: groupKey }, change).setOptions({
    accessScope: UNRESTRICTED,
  });
  if (matchedCount === 0) throw unknownKey('group', 'a group', groupKey);
}
