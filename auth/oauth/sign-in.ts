import { UNRESTRICTED } from '../../models/tenancy.ts';
import { UserModel } from '../../models/account/user.ts';
import { browserName } from '../browser-name.ts';
import { foldEmail } from '../fold-email.ts';
import { networkOf } from '../network-of.ts';
import { isPassword } from '../passwords.ts';
import { type Actor, countFailedSignIn, recordSecurityEvent } from '../security-events.ts';
import { findKnownBrowser, rememberBrowser } from './known-browsers.ts';
import { announceAttempt, signInLimits } from './sign-in-attempts.ts';

/** A browser that sends a request. */
export interface Client {
  /** Its network address. */
  readonly address: string;
  readonly cookies?: string | undefined;
  readonly userAgent?: string | undefined;
}

/** Input of a sign-in form, as typed, with its client. */
export interface SignInForm extends Client {
  readonly email: string;
  readonly password: string;
}

/** Somebody who has proved the password. */
export interface ProvedUser {
  readonly user_key: string;
  /** The number that the session must carry to be one. */
  readonly session_version: number;
}

/** Outcome of a sign-in. Neither it nor its duration reveals whether the e-mail address is known. */
export type SignInOutcome =
  /** With the `Set-Cookie` header by which the browser is known from now on. */
  | ({ readonly kind: 'user'; readonly cookie: string } & ProvedUser)
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly retryAfterSeconds: number };

/** The party behind a request, for the security log. */
export function actorOf({ address, userAgent }: Client, by: Actor['by']): Actor {
  return { by, network: networkOf(address), browser: browserName(userAgent) };
}

/** Checks e-mail and password, within the limits of `sign-in-attempts.ts`. */
export async function signIn(form: SignInForm, now: Date = new Date()): Promise<SignInOutcome> {
  const email = foldEmail(form.email);
  const actor = actorOf(form, 'visitor');
  const user = await UserModel.findOne(
    { email_folded: email },
    { key: 1, account_key: 1, password_hash: 1, disabled: 1, session_version: 1 },
    { accessScope: UNRESTRICTED },
  ).lean();
  const knownBrowser = await findKnownBrowser(form.cookies, user?.key ?? null, now);
  const attempt = await announceAttempt(signInLimits({ email, network: networkOf(form.address), knownBrowser }), now);
  if (attempt.kind === 'locked') {
    await countFailedSignIn({ kind: 'sign_in_limited', user, actor }, now);
    return attempt;
  }
  const isRight = await isPassword(form.password, user?.password_hash ?? null).catch(async (error: unknown) => {
    await attempt.withdraw();
    throw error;
  });
  if (!isRight || !user || user.disabled) {
    await countFailedSignIn({ kind: 'sign_in_failed', user, actor }, now);
    return { kind: 'wrong' };
  }
  await attempt.succeed();
  const cookie = await rememberBrowser(form.cookies, user.key, now);
  const { key: user_key, account_key, session_version } = user;
  await recordSecurityEvent({ kind: 'signed_in', actor: { ...actor, by: 'user' }, account_key, user_key }, now);
  return { kind: 'user', user_key, session_version, cookie };
}
