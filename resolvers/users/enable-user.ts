import { foldEmail } from '../../auth/fold-email.ts';
import { revokeAllGrants } from '../../auth/grants.ts';
import { OPERATOR, recordSecurityEvent } from '../../auth/security-events.ts';
import { isDuplicateKey } from '../../models/duplicate-key.ts';
import { UNRESTRICTED } from '../../models/tenancy.ts';
import { UserModel } from '../../models/account/user.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { checkEmail } from './new-user.ts';
import { unknownKey } from '../input/unknown-key.ts';

/** What the operator says of a user who comes back. */
export interface EnableRequest {
  readonly user: string;
  /** Another address to sign in with; the one before unless given. */
  readonly email?: string;
  /** Whether what the user had allowed apps ends; it is good again otherwise. */
  readonly revokesGrants: boolean;
}

/**
 * Lets a user who was disabled in again, with the password and the grants of before. Repeating it is fine.
 *
 * @returns the e-mail address to sign in with
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
      { disabled: false, email, email_folded: email && foldEmail(email) },
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
