import { OPERATOR } from '../../auth/security-events.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { replacePassword } from './replace-password.ts';
import { userWithEmail } from './user-with-email.ts';

/** What the operator says of a user's password. */
export interface SetPasswordRequest {
  readonly user: string;
  readonly password: string;
  readonly revokesGrants: boolean;
}

/**
 * Sets a user's password; all sessions of the user end.
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
