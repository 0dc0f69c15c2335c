import { unrestricted } from '../../models/store/tenancy.ts';
import { AccountStore } from '../../models/account/account.ts';
import { type StoredUser, UserStore } from '../../models/account/user.ts';
import type { AccountRole } from '../../schema/account/user.ts';
import { browserName } from '../browser-name.ts';
import { foldEmail } from '../secrets/fold-email.ts';
import { networkOf } from '../network-of.ts';
import { type Actor, countFailedSignIn, recordSecurityEvent } from '../security-events.ts';
import { storeChoice, takeChoice } from './account-choice.ts';
import type { ProvedUser } from './proved-user.ts';
import { guessPassword } from './guess-password.ts';
import { browserHashOf, findUsersOfBrowser, rememberBrowser } from './known-browsers.ts';
import { announceAttempt, signInLimits } from './sign-in-attempts.ts';
import type { Service } from '../../models/store/service.ts';

/** The browser that sends a request. */
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

/** An account that a person can sign in to. */
export interface ChoosableAccount {
  readonly user_key: string;
  /** Name of the account; null if it has none. */
  readonly nickname: string | null;
  /** Rights of the user there. */
  readonly role: AccountRole;
}

/** Choice of one of the accounts that a sign-in has offered. */
export interface AccountChoice {
  readonly choice: string;
  readonly user_key: string;
}

/** Outcome of a sign-in. Neither it nor its duration reveals in how many accounts the e-mail address is known, if any. */
export type SignInOutcome =
  /** With the `Set-Cookie` header that identifies the browser from now on. */
  | ({ readonly kind: 'user'; readonly cookie: string } & ProvedUser)
  /** The password is that of several users: `choice` is the secret for {@link chooseAccount}. */
  | { readonly kind: 'choice'; readonly choice: string; readonly accounts: readonly ChoosableAccount[] }
  | { readonly kind: 'wrong' }
  /** The secret of a choice has been used, or is too old. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'locked'; readonly retryAfterSeconds: number };

/** The party behind a request, for the security log. */
export function actorOf({ address, userAgent }: Client, by: Actor['by']): Actor {
  return { by, network: networkOf(address), browser: browserName(userAgent) };
}

/**
 * Checks e-mail and password, within the limits of `sign-in-attempts.ts`, for the users of the address in all accounts: first those
 * who have signed in with this browser before, then the oldest.
 */
export async function signIn(service: Service, form: SignInForm, now: Date = new Date()): Promise<SignInOutcome> {
  const email = foldEmail(form.email);
  const browser = browserHashOf(form.cookies);
  const users = await findUsers(service, email, await findUsersOfBrowser(service, browser, now));
  const known = users.filter(({ isKnown }) => isKnown);
  const knownBrowser = known.length > 0 ? browser : null;
  // Attempts in a browser that one account knows are not reported to the others.
  const failure = { users: known.length > 0 ? known : users, actor: actorOf(form, 'visitor') };
  const attempt = await announceAttempt(
    service,
    signInLimits({ email, network: networkOf(form.address), knownBrowser }),
    now,
  );
  if (attempt.kind === 'locked') {
    await countFailedSignIn(service, { kind: 'sign_in_limited', ...failure }, now);
    return attempt;
  }
  const allowed = users.filter(maySignIn);
  const { proved, locked } = await guessPassword(service, form.password, allowed, email, now).catch(
    async (error: unknown) => {
      await attempt.withdraw();
      throw error;
    },
  );
  if (proved.length === 0) {
    await countFailedSignIn(service, { kind: 'sign_in_failed', ...failure }, now);
    return locked ?? { kind: 'wrong' };
  }
  // A person who shares a known browser with another user of the address cannot bypass its limit by signing in.
  if (known.every((user) => !maySignIn(user) || proved.includes(user))) await attempt.succeed();
  const [only, ...others] = proved;
  if (only && others.length === 0) return completeSignIn(service, only, form, now);
  const choice = await storeChoice(service, proved.map(provedUser), now);
  return { kind: 'choice', choice, accounts: await accountsOf(service, proved) };
}

/** Signs in to one of the accounts that a sign-in has offered. */
export async function chooseAccount(
  service: Service,
  { choice, user_key }: AccountChoice,
  client: Client,
  now: Date = new Date(),
): Promise<SignInOutcome> {
  const proved = await takeChoice(service, choice, user_key, now);
  if (proved === null) return { kind: 'expired' };
  const user = await UserStore.findOne(unrestricted(service), { key: user_key });
  const isUnchanged = user && !user.disabled && user.session_version === proved.session_version;
  return isUnchanged ? completeSignIn(service, user, client, now) : { kind: 'expired' };
}

type FoundUser = Pick<
  StoredUser,
  'key' | 'account_key' | 'password_hash' | 'disabled' | 'session_version' | 'account_role'
> & {
  readonly isKnown: boolean;
};

async function findUsers(
  service: Service,
  email_folded: string,
  known: ReadonlySet<string>,
): Promise<readonly FoundUser[]> {
  const users = await UserStore.find(unrestricted(service), { email_folded }).sort({ _id: 1 });
  const found = users.map((user) => ({ ...user, isKnown: known.has(user.key) }));
  return found.toSorted((one, other) => Number(other.isKnown) - Number(one.isKnown));
}

function maySignIn({ disabled, password_hash }: FoundUser): boolean {
  return !disabled && password_hash !== null;
}

function provedUser({ key: user_key, session_version }: Pick<FoundUser, 'key' | 'session_version'>): ProvedUser {
  return { user_key, session_version };
}

async function accountsOf(service: Service, users: readonly FoundUser[]): Promise<ChoosableAccount[]> {
  const key = { $in: users.map(({ account_key }) => account_key) };
  const accounts = await AccountStore.find(unrestricted(service), { key }, { key: 1, nickname: 1 });
  const nicknames = new Map(accounts.map((account) => [account.key, account.nickname]));
  return users.map(({ key: user_key, account_key, account_role: role }) => ({
    user_key,
    nickname: nicknames.get(account_key) ?? null,
    role,
  }));
}

async function completeSignIn(
  service: Service,
  user: Pick<FoundUser, 'key' | 'account_key' | 'session_version'>,
  client: Client,
  now: Date,
): Promise<SignInOutcome> {
  const { key: user_key, account_key } = user;
  const cookie = await rememberBrowser(service, client.cookies, user_key, now);
  await recordSecurityEvent(service, { kind: 'signed_in', actor: actorOf(client, 'user'), account_key, user_key }, now);
  return { kind: 'user', ...provedUser(user), cookie };
}
