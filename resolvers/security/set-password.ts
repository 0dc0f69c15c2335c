import { OPERATOR } from '../../auth/security-events.ts';
import { type StoredUser, UserStore } from '../../models/account/user.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { unknownKey } from '../input/unknown-key.ts';
import { replacePassword } from './replace-password.ts';
import type { Service } from '../../models/store/service.ts';

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
export async function setPassword(
  service: Service,
  { user: userKey, password, revokesGrants }: SetPasswordRequest,
): Promise<void> {
  const user = await userWithEmail(service, userKey);
  const changed = await replacePassword(service, {
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
export async function userWithEmail(
  service: Service,
  userKey: string,
): Promise<StoredUser & { readonly email: string }> {
  const user = await UserStore.findOne(unrestricted(service), { key: userKey });
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
