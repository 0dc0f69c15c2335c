import { rememberBrowser } from '../oauth/known-browsers.ts';
import { actorOf, type Client } from '../oauth/sign-in.ts';
import { hashSecret, newSecret } from '../secrets/secrets.ts';
import { type Actor, OPERATOR, recordSecurityEvent } from '../security-events.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { accountNickname } from '../../models/account/account-nickname.ts';
import { type StoredUser, UserStore } from '../../models/account/user.ts';
import { replacePassword, userWithEmail } from './set-password.ts';
import type { Service } from '../../models/store/service.ts';

/** Path to which a reset link leads, with `?token=`, below `{auth_url}`. */
export const RESET_PATH = '/security/reset';

/** Lifetime of a reset link, in milliseconds. */
const RESET_LINK_LIFETIME_MS = 3_600_000;

/** Lifetime of an invitation link, in days. */
export const INVITATION_DAYS = 7;

/**
 * Issues a reset link, which invalidates an earlier one, and becomes invalid when the password changes. Only the hash of its
 * token is stored.
 * @throws ServiceError BAD_REQUEST naming `user`, who must have an e-mail address and not be disabled
 */
export async function issueResetLink(service: Service, userKey: string, now: Date = new Date()) {
  const { key, account_key, email } = await userWithEmail(service, userKey);
  const { token, expires } = await writeLink(service, { key }, RESET_LINK_LIFETIME_MS, now);
  await recordSecurityEvent(service, { kind: 'reset_link_issued', actor: OPERATOR, account_key, user_key: key }, now);
  return { token, email, account_key, account_nickname: await accountNickname(service, account_key), expires };
}

/**
 * Issues an invitation link: the reset link of a user who has no password yet, to set the first one within
 * {@link INVITATION_DAYS}.
 *
 * @param issuer `{auth_url}`
 */
export async function issueInvitation(
  service: Service,
  { key: user_key, account_key }: Pick<StoredUser, 'key' | 'account_key'>,
  issuer: string,
  actor: Actor,
  now: Date = new Date(),
): Promise<string> {
  const { token } = await writeLink(service, { key: user_key, password_hash: null }, INVITATION_DAYS * 86_400_000, now);
  await recordSecurityEvent(service, { kind: 'invitation_issued', actor, account_key, user_key }, now);
  return `${issuer}${RESET_PATH}?token=${token}`;
}

async function writeLink(
  service: Service,
  filter: { key: string; password_hash?: null },
  lifetimeMs: number,
  now: Date,
) {
  const token = newSecret('wb_reset_');
  const expires = new Date(now.getTime() + lifetimeMs);
  const link = { reset_hash: hashSecret(token), reset_expires_at: expires };
  await UserStore.updateOne(unrestricted(service), { ...filter, disabled: false }, link);
  return { token, expires };
}

/** The user of a valid reset link, or null. */
export async function findResetLink(
  service: Service,
  token: string,
  now: Date = new Date(),
): Promise<StoredUser | null> {
  return UserStore.findOne(unrestricted(service), goodLink(token, now));
}

/**
 * Sets a new password by a reset link, once, even with concurrent requests. The browser is known from now on, so that
 * password guessing by others cannot lock the user out.
 * @returns the `Set-Cookie` header that identifies the browser; null if the link is no longer valid
 * @throws ServiceError BAD_REQUEST naming `password`; the link stays valid
 */
export async function resetPassword(
  service: Service,
  { token, password, revokesGrants }: { token: string; password: string; revokesGrants: boolean },
  client: Client,
  now: Date = new Date(),
): Promise<string | null> {
  const user = await findResetLink(service, token, now);
  if (!user) return null;
  const changed = await replacePassword(service, {
    user,
    provided: goodLink(token, now),
    password,
    revokesGrants,
    keepsBrowser: null,
    actor: { ...actorOf(client, 'user'), user_key: user.key },
    kind: 'password_reset',
  });
  return changed === null ? null : rememberBrowser(service, client.cookies, user.key, now);
}

function goodLink(token: string, now: Date) {
  return { reset_hash: hashSecret(token), reset_expires_at: { $gt: now }, disabled: false };
}
