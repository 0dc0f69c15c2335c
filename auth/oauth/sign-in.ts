import { EVERYTHING } from '../../models/tenancy.ts';
import { UserModel } from '../../models/user.ts';
import { isPassword } from '../passwords.ts';
import { announceAttempt, forgetAttempts } from './sign-in-attempts.ts';

/** What somebody signs in with, as typed, and from where. */
export interface SignInForm {
  readonly email: string;
  readonly password: string;
  readonly address: string;
}

/** What came of it. Whether there is such an e-mail address cannot be told from it, nor from the time it takes. */
export type SignInOutcome =
  | { readonly kind: 'user'; readonly user_key: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly retryAfterSeconds: number };

/** Checks e-mail and password; too many failures lock this e-mail at this network address for a while. */
export async function signIn(form: SignInForm, now: Date = new Date()): Promise<SignInOutcome> {
  const email = form.email.normalize('NFC').trim().toLowerCase();
  const who = { email, address: form.address };
  const attempt = await announceAttempt(who, now);
  if (attempt.kind === 'locked') return attempt;

  const user = await UserModel.findOne(
    { email_folded: email },
    { key: 1, password_hash: 1, disabled: 1 },
    { sight: EVERYTHING },
  ).lean();
  const isRight = await isPassword(form.password, user?.password_hash ?? null);
  if (!isRight || !user || user.disabled) return { kind: 'wrong' };
  await forgetAttempts(who);
  return { kind: 'user', user_key: user.key };
}
