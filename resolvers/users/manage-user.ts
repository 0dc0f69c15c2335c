import { foldEmail } from '../../auth/secrets/fold-email.ts';
import { revokeAllGrants } from '../../auth/grants.ts';
import { endSessionRecords } from '../../auth/oauth/end-sessions.ts';
import { OPERATOR, recordSecurityEvent } from '../../auth/security-events.ts';
import { UserStore } from '../../models/account/user.ts';
import { isDuplicateKey } from '../../models/store/duplicate-key.ts';
import { accountAccessScope, unrestricted } from '../../models/store/tenancy.ts';
import type { UserInput } from '../../schema/account/user.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { unknownKey } from '../../models/lookup/unknown-key.ts';
import { createUser } from './change-user.ts';
import { checkEmail } from './new-user.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * Adds a user with a password to an account, as its owner would. Returns the key of the user.
 *
 * @throws ServiceError BAD_REQUEST naming a parameter
 */
export async function addUser(
  service: Service,
  accountKey: string,
  input: UserInput,
  password: string,
): Promise<string> {
  const manager = {
    accessScope: accountAccessScope(service, accountKey),
    isApp: false,
    actor: OPERATOR,
    subject: null,
  };
  return (await createUser(manager, input, password)).key;
}

/** Disables a user: grants are rejected from the next request on, sessions and reset links end. Repeating is fine. */
export async function disableUser(service: Service, userKey: string): Promise<void> {
  const user = await UserStore.findOneAndUpdate(
    unrestricted(service),
    { key: userKey },
    { disabled: true, reset_hash: null, reset_expires_at: null, $inc: { session_version: 1, revision: 1 } },
  );
  if (!user) throw unknownKey('user', 'a user', userKey);
  await endSessionRecords(service, userKey, null);
  const { account_key } = user;
  if (!user.disabled) {
    await recordSecurityEvent(service, { kind: 'user_disabled', actor: OPERATOR, account_key, user_key: userKey });
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
export async function enableUser(service: Service, request: EnableRequest): Promise<string | null> {
  const user = await UserStore.findOne(unrestricted(service), { key: request.user });
  if (!user) throw unknownKey('user', 'a user', request.user);
  const email = request.email === undefined ? user.email : checkEmail(request.email);
  if (!user.disabled) {
    if (email === user.email) return email;
    throw new ServiceError('BAD_REQUEST', 'user is not disabled; omit email');
  }
  if (request.revokesGrants) await revokeAllGrants(service, user.key, OPERATOR);
  try {
    const { modifiedCount } = await UserStore.updateOne(
      unrestricted(service),
      { key: user.key, disabled: true },
      { disabled: false, disabled_before: null, email, email_folded: email && foldEmail(email) },
    );
    if (modifiedCount === 0) return email;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new ServiceError(
      'BAD_REQUEST',
      'email has been taken by another user of the account in the meantime; give another address',
    );
  }
  const { account_key, key: user_key } = user;
  await recordSecurityEvent(service, { kind: 'user_enabled', actor: OPERATOR, account_key, user_key });
  return email;
}
