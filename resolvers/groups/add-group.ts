import { GroupModel } from '../../models/account/group.ts';

import { GroupResolver } from './group-resolver.ts';
import { existingAccountScope } from '../input/existing-account.ts';
import { unknownKey } from '../input/unknown-key.ts';

/** What the operator says of a new group. */
export interface GroupRequest {
  readonly account: string;
  readonly name: string;
  /** An active group of the account; the account itself unless given. */
  readonly parent?: string;
}

/** Adds a group to an account, as its owner would. Answers the key of the group. */
export async function addGroup(request: GroupRequest): Promise<string> {
  const accessScope = await existingAccountScope(request.account);
  if (
    request.parent !== undefined &&
    (await GroupModel.countDocuments({ key: request.parent }, { accessScope })) === 0
  ) {
    throw unknownKey('parent', 'a group of the account', request.parent);
  }
  const caller = { kind: 'owner', account_key: accessScope.account_key, plan: 'premium' } as const;
  const group = await new GroupResolver().createGroup(request.name, request.parent, { caller });
  return group.key;
}
