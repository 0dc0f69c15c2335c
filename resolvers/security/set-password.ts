import { OPERATOR } from '../../auth/security-events.ts';
import { type StoredUser, UserModel } from '../../models/account/user.ts';
import { UNRESTRICTED } from '../../models/tenancy.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { unknownKey } from '../input/unknown-key.ts';
import { replacePassword } from './replace-password.ts';

/** New password of a user, set by the operator. */
export interface SetPasswordRequest {
  readonly user: string;
  readonly password: string;
  readonly revokesGrants: boolean;
}

/**
 * Sets a user's password, and ends all sessions.
 *
 * @throws ServiceError BAD_REQUEST naming `user` or `password`
 */
export async function setPassword({ user: userKey, password, revokesGrants }: SetPasswordRequest): Promise<void> {
  const user = await userWithEmail(userKey);
  const changed = await replacePassword({
    user,
    provided: {},
    password,
    revokesGrants,
    keepsBrowser: null,
    actor: OPERATOR,
    kind: 'password_set',
  });
  if (changed === null) throw new ServiceError('BAD_REQUEST', 'user was disabled meanwhile; nothing was changed');
}

/**
 * A user who may have a password.
 *
 * @throws ServiceError BAD_REQUEST if unknown, disabled or without e-mail address
 */
export async function userWithEmail(userKey: string): Promise<StoredUser & { readonly email: string }> {
  const user = await UserModel.findOne({ key: userKey }, null, { accessScope: UNRESTRICTED }).lean();
  if (!user) throw unknownKey('user', 'a user', userKey);
  if (user.disabled) {
    throw new ServiceError('BAD_REQUEST', 'user is disabled; let the user in again by user enable first');
  }
  const { email } = user;
  if (email === null) {
    throw new ServiceError('BAD_REQUEST', 'user has no e-mail address to sign in with; add a user who has one');
  }
  return { ...user, email };
}
