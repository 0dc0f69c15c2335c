import type { BrowserSession } from '../oauth/browser-session.ts';
import { browserHashOf } from '../oauth/known-browsers.ts';
import { announceAttempt, confirmationLimits } from '../oauth/sign-in-attempts.ts';
import type { ProvedUser } from '../oauth/proved-user.ts';
import { actorOf, type Client } from '../oauth/sign-in.ts';
import { isPassword } from '../secrets/passwords.ts';
import { countFailedSignIn } from '../security-events.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { UserStore } from '../../models/account/user.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { replacePassword } from './set-password.ts';
import type { Service } from '../../models/store/service.ts';

/** Outcome of a change of password; a user who has changed it continues in a new session. */
export type PasswordOutcome =
  | { readonly kind: 'changed'; readonly user: ProvedUser }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly retryAfterSeconds: number };

/**
 * Changes the password of a user who proves the current one; all sessions end.
 *
 * @throws ServiceError BAD_REQUEST naming `password`
 */
export async function changePassword(
  service: Service,
  session: BrowserSession,
  { current, password, revokesGrants }: { current: string; password: string; revokesGrants: boolean },
  client: Client,
  now: Date = new Date(),
): Promise<PasswordOutcome> {
  const attempt = await announceAttempt(service, confirmationLimits(session.uid), now);
  if (attempt.kind === 'locked') return attempt;
  const user = await UserStore.findOne(unrestricted(service), { key: session.user_key });
  const actor = { ...actorOf(client, 'user'), user_key: session.user_key };
  const isRight = await isPassword(current, user?.password_hash ?? null).catch(async (error: unknown) => {
    await attempt.withdraw();
    throw error;
  });
  if (!isRight || !user) {
    await countFailedSignIn(service, { kind: 'sign_in_failed', users: user ? [user] : [], actor }, now);
    return { kind: 'wrong' };
  }
  await attempt.succeed();
  if (password.normalize('NFKC') === current.normalize('NFKC')) {
    throw new ServiceError('BAD_REQUEST', 'password must differ from the current one');
  }
  const changed = await replacePassword(service, {
    user,
    provided: { password_hash: user.password_hash },
    password,
    revokesGrants,
    keepsBrowser: browserHashOf(client.cookies),
    actor,
    kind: 'password_changed',
  });
  return changed === null ? { kind: 'wrong' } : { kind: 'changed', user: changed };
}
