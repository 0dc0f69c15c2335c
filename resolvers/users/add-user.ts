import { OPERATOR, recordSecurityEvent } from '../../auth/security-events.ts';

import { existingAccountScope } from '../input/existing-account.ts';
import { groupMembership } from '../groups/group-membership.ts';
import { newUser, type SignIn } from './new-user.ts';

/** What the operator says of a new user. */
export interface UserRequest {
  readonly account: string;
  readonly signIn: SignIn;
  /** Groups to which the user is restricted; none means unrestricted. */
  readonly groups: readonly string[];
}

/** Adds a user to an account. Answers the key of the user. */
export async function addUser(request: UserRequest): Promise<string> {
  const accessScope = await existingAccountScope(request.account);
  const groups = await groupMembership(request.groups, accessScope);
  const user = await newUser(accessScope.account_key, request.signIn, groups);
  await user.insert();
  await recordSecurityEvent({
    kind: 'user_added',
    actor: OPERATOR,
    account_key: accessScope.account_key,
    user_key: user.key,
  });
  return user.key;
}
