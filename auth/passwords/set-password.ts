import { type Actor, OPERATOR, recordSecurityEvent } from '../security-events.ts';
import { type StoredUser, UserStore } from '../../models/account/user.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { ServiceError } from '../../schema/service-error.ts';
import { unknownKey } from '../../models/lookup/unknown-key.ts';
import type { Service } from '../../models/store/service.ts';
import type { FilterOf } from '../../models/store/plain-store.ts';
import { foldEmail } from '../secrets/fold-email.ts';
import { revokeAllGrants } from '../grants.ts';
import { endSessionRecords } from '../oauth/end-sessions.ts';
import { clearFailuresOf } from '../oauth/sign-in-attempts.ts';
import type { ProvedUser } from '../oauth/proved-user.ts';
import { checkNewPassword } from '../secrets/password-rule.ts';
import { hashPassword } from '../secrets/passwords.ts';

/**
 * Sets a user's password, and ends all sessions.
 *
 * @throws ServiceError BAD_REQUEST naming `user` or `password`
 */
export async function setPassword(
  service: Service,
  { user: userKey, password, revokesGrants }: { user: string; password: string; revokesGrants: boolean },
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
  if (changed === null) throw new ServiceError('BAD_REQUEST', 'user was disabled in the meantime; nothing was changed');
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
    throw new ServiceError('BAD_REQUEST', 'user is disabled; run user enable first');
  }
  const { email } = user;
  if (email === null) {
    throw new ServiceError('BAD_REQUEST', 'user has no e-mail address to sign in with; add a user who has one');
  }
  return { ...user, email };
}

/** A new password, and further access that ends with the old one, in addition to all sessions. */
interface PasswordChange {
  readonly user: Pick<StoredUser, 'key' | 'email'>;
  /** Condition on the user for the replacement: it is checked in the same step. */
  readonly provided: FilterOf<StoredUser>;
  readonly password: string;
  readonly revokesGrants: boolean;
  /** Hash of the browser that stays known, if any. */
  readonly keepsBrowser: string | null;
  readonly actor: Actor;
  readonly kind: 'password_changed' | 'password_set' | 'password_reset';
}

/**
 * Replaces a password, and ends every session and the reset link, in one step; null, without a change, if the condition
 * no longer holds.
 *
 * @throws ServiceError BAD_REQUEST for an unacceptable password
 */
export async function replacePassword(service: Service, change: PasswordChange): Promise<ProvedUser | null> {
  const { user, provided, password, revokesGrants, keepsBrowser, actor, kind } = change;
  await checkNewPassword(password, user.email);
  const password_hash = await hashPassword(password);
  const fields = { password_hash, password_changed: new Date(), reset_hash: null, reset_expires_at: null };
  const changed = await UserStore.findOneAndUpdate(
    unrestricted(service),
    { $and: [{ key: user.key, disabled: false }, provided] },
    { $set: fields, $inc: { session_version: 1 } },
    { returnDocument: 'after' },
  );
  if (!changed) return null;
  const { key: user_key, account_key, session_version } = changed;
  await endSessionRecords(service, user_key, keepsBrowser);
  if (changed.email !== null) await clearFailuresOf(service, user_key, foldEmail(changed.email), actor.network ?? null);
  await recordSecurityEvent(service, { kind, actor, account_key, user_key });
  if (revokesGrants) await revokeAllGrants(service, user_key, actor);
  return { user_key, session_version };
}
