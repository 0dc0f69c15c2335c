import type { FilterOf } from '../../models/store/plain-store.ts';

import { foldEmail } from '../../auth/secrets/fold-email.ts';
import { revokeAllGrants } from '../../auth/grants.ts';
import { endSessionRecords } from '../../auth/oauth/end-sessions.ts';
import { clearFailuresOf } from '../../auth/oauth/sign-in-attempts.ts';
import type { ProvedUser } from '../../auth/oauth/proved-user.ts';
import { checkNewPassword } from '../../auth/secrets/password-rule.ts';
import { hashPassword } from '../../auth/secrets/passwords.ts';
import { type Actor, recordSecurityEvent } from '../../auth/security-events.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { type StoredUser, UserStore } from '../../models/account/user.ts';
import type { Service } from '../../models/store/service.ts';

/** A new password, and what ends with the old one beside all sessions. */
export interface PasswordChange {
  readonly user: Pick<StoredUser, 'key' | 'email'>;
  /** Condition on the user under which the password is replaced: it is checked in the same step. */
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
