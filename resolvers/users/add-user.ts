import { OPERATOR, recordSecurityEvent } from '../../auth/security-events.ts';

import { sightOfExistingAccount } from '../input/existing-account.ts';
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
  const sight = await sightOfExistingAccount(request.account);
  const groups = await groupMembership(request.groups, sight);
  const user = await newUser(sight.account_key, request.signIn, groups);
  await user.insert();
  await recordSecurityEvent({
    kind: 'user_added',
    actor: OPERATOR,
    account_key: sight.account_key,
    user_key: user.key,
  });
  return user.key;
}
