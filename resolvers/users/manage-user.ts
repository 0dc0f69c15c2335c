import { foldEmail } from '../../auth/fold-email.ts';
import { revokeAllGrants } from '../../auth/grants.ts';
import { endSessionRecords } from '../../auth/oauth/end-sessions.ts';
import { OPERATOR, recordSecurityEvent } from '../../auth/security-events.ts';
import { UserModel } from '../../models/account/user.ts';
import { isDuplicateKey } from '../../models/duplicate-key.ts';
import { readShown } from '../../models/read-shown.ts';
import { accountAccessScope, UNRESTRICTED } from '../../models/tenancy.ts';
import { AccountRole } from '../../schema/account/user.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { groupMembership } from '../groups/group-membership.ts';
import { existingAccountScope } from '../input/any-record.ts';
import { checkChoice } from '../input/check-name.ts';
import { unknownKey } from '../input/unknown-key.ts';
import { updateUser } from './change-user.ts';
import { checkEmail, newUser, type SignIn } from './new-user.ts';
import { personalFields } from './user-input.ts';

/** A new user, as the operator describes it. */
export interface UserRequest {
  readonly account: string;
  readonly signIn: SignIn;
  /** Groups to which the user is restricted; none means unrestricted. */
  readonly groups: readonly string[];
  /** An administrator unless given. */
  readonly role?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}

/** Adds a user to an account. Answers the key of the user. */
export async function addUser(request: UserRequest): Promise<string> {
  const accessScope = await existingAccountScope(request.account);
  const groups = await groupMembership(request.groups, accessScope);
  const { role = 'administrator', firstName: first_name, lastName: last_name } = request;
  const names = personalFields({ ...(first_name && { first_name }), ...(last_name && { last_name }) });
  const account_role = checkChoice('role', Object.values(AccountRole), role);
  const user = await newUser(accessScope.account_key, request.signIn, { ...names, account_role, ...groups });
  await user.insert();
  const { account_key } = accessScope;
  await recordSecurityEvent({ kind: 'user_added', actor: OPERATOR, account_key, user_key: user.key });
  return user.key;
}

/** Change of a user by the operator; what is left out stays as it is. */
export interface UserChange {
  readonly role?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}

/**
 * Changes the name or the role of a user.
 *
 * @throws ServiceError BAD_REQUEST naming `user` or `role`, or for the last administrator of the account
 */
export async function updateAnyUser(key: string, { role, firstName, lastName }: UserChange): Promise<void> {
  const user = await UserModel.findOne({ key }, { account_key: 1 }, { accessScope: UNRESTRICTED }).lean();
  if (!user) throw unknownKey('user', 'a user', key);
  const manager = { accessScope: accountAccessScope(user.account_key), isApp: false, actor: OPERATOR, subject: null };
  await updateUser(manager, key, {
    ...(role !== undefined && { account_role: checkChoice('role', Object.values(AccountRole), role) }),
    ...(firstName !== undefined && { first_name: firstName }),
    ...(lastName !== undefined && { last_name: lastName }),
  });
}

/** Lists the users of an account, in order of creation. */
export async function listUsers(account: string) {
  const accessScope = await existingAccountScope(account);
  const users = await readShown(UserModel, { accessScope, filter: {} }, { sort: { _id: 1 } });
  return users.map(({ key: user_key, email, first_name, last_name, account_role, group_keys, disabled }) => {
    return { user_key, email, first_name, last_name, account_role, group_keys, disabled };
  });
}

/** Disables a user: grants are rejected from the next request on, sessions and reset links end. Repeating is fine. */
export async function disableUser(userKey: string): Promise<void> {
  const user = await UserModel.findOneAndUpdate(
    { key: userKey },
    { disabled: true, reset_hash: null, reset_expires_at: null, $inc: { session_version: 1, revision: 1 } },
    { accessScope: UNRESTRICTED },
  ).lean();
  if (!user) throw unknownKey('user', 'a user', userKey);
  await endSessionRecords(userKey, null);
  const { account_key } = user;
  if (!user.disabled) {
    await recordSecurityEvent({ kind: 'user_disabled', actor: OPERATOR, account_key, user_key: userKey });
  }
}

/** Request of the operator to enable a disabled user. */
export interface EnableRequest {
  readonly user: string;
  /** Another address to sign in with; the one before unless given. */
  readonly email?: string | undefined;
  /** True to revoke the user's grants to apps, which otherwise become valid again. */
  readonly revokesGrants: boolean;
}

/**
 * Enables a disabled user, with the password and the grants of before; repeating is fine. Returns the e-mail address.
 * @throws ServiceError BAD_REQUEST naming `user` or `email`; another user may have taken the address meanwhile
 */
export async function enableUser(request: EnableRequest): Promise<string | null> {
  const user = await UserModel.findOne({ key: request.user }, null, { accessScope: UNRESTRICTED }).lean();
  if (!user) throw unknownKey('user', 'a user', request.user);
  const email = request.email === undefined ? user.email : checkEmail(request.email);
  if (!user.disabled) {
    if (email === user.email) return email;
    throw new ServiceError('BAD_REQUEST', 'user is not disabled; leave email out');
  }
  if (request.revokesGrants) await revokeAllGrants(user.key, OPERATOR);
  try {
    const { modifiedCount } = await UserModel.updateOne(
      { key: user.key, disabled: true },
      { disabled: false, disabled_before: null, email, email_folded: email && foldEmail(email) },
    ).setOptions({ accessScope: UNRESTRICTED });
    if (modifiedCount === 0) return email;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new ServiceError('BAD_REQUEST', 'email has been taken by another user since; give another address');
  }
  const { account_key, key: user_key } = user;
  await recordSecurityEvent({ kind: 'user_enabled', actor: OPERATOR, account_key, user_key });
  return email;
}
