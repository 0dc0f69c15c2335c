import type { IncomingHttpHeaders } from 'node:http';

import type { Provider } from 'oidc-provider';

import { unrestricted } from '../../models/store/tenancy.ts';
import { accountNickname } from '../../models/account/account-nickname.ts';
import { UserStore } from '../../models/account/user.ts';
import type { AccountRole } from '../../schema/account/user.ts';
import type { SignedInUser } from '../caller.ts';
import { userOf } from '../maker-now.ts';
import { hashSecret } from '../secrets/secrets.ts';
import { cookieIn, hostCookie } from './cookie-header.ts';
import { SESSION_COOKIE } from './flow-cookies.ts';
import { SESSION_LIFETIME } from './oauth-provider.ts';
import { findRecord } from './storage/hashed-record.ts';
import { isOfVersion, versionMark } from './session-version.ts';
import type { ProvedUser } from './proved-user.ts';
import type { Service } from '../../models/store/service.ts';

/** A signed-in browser. */
export interface BrowserSession {
  readonly user_key: string;
  readonly account_key: string;
  readonly email: string | null;
  /** Name of the account; null if it has none. */
  readonly account: string | null;
  /** Groups to which the user is restricted; none means unrestricted. */
  readonly group_keys: readonly string[];
  /** The user's, as it is now. */
  readonly role: AccountRole;
  /** Distinguishes this session from others of the same user. */
  readonly uid: string;
  /** Anti-forgery token in every form of a page of this session. */
  readonly formToken: string;
}

/** Finds the session of a request's cookies; null if there is none, or it has been ended. */
export async function findSession(service: Service, cookies: string | undefined): Promise<BrowserSession | null> {
  const found = await readSession(service, cookies);
  if (!found) return null;
  const { key: user_key, account_key, email, group_keys, account_role: role } = found.user;
  const account = await accountNickname(service, account_key);
  const formToken = hashSecret(`form:${found.cookie}`);
  return { user_key, account_key, email, account, group_keys, role, uid: found.session.uid, formToken };
}

/**
 * Finds the user who is signed in, by the session of a request's cookies, if a page of an origin sent it by script: browsers say
 * so, and no page of another origin can. Null for any other request, and if the session has been ended.
 */
export async function findSignedInUser(
  service: Service,
  { origin, cookie, 'sec-fetch-site': site }: IncomingHttpHeaders,
  pages: string,
): Promise<SignedInUser | null> {
  const isOfPage = origin === undefined ? site === 'same-origin' : origin === pages;
  const found = isOfPage ? await readSession(service, cookie) : null;
  if (!found) return null;
  const { loginTs, exp } = found.session;
  return { ...userOf(found.user), signed_in: loginTs * 1000, expires: exp * 1000 };
}

/** Members that the OAuth library keeps of a session. */
interface SessionDetails {
  readonly uid: string;
  readonly accountId?: string;
  readonly acr?: string;
  /** In seconds since 1970. */
  readonly loginTs: number;
  /** In seconds since 1970. */
  readonly exp: number;
}

async function readSession(service: Service, cookies: string | undefined) {
  const cookie = cookieIn(cookies, SESSION_COOKIE);
  const record = cookie ? await findRecord(service, 'Session', cookie) : null;
  if (!cookie || !record?.details || record.consumed) return null;
  const session = JSON.parse(record.details) as SessionDetails;
  if (!session.accountId || session.exp * 1000 <= Date.now()) return null;
  const user = await UserStore.findOne(unrestricted(service), { key: session.accountId });
  return user && !user.disabled && isOfVersion(session.acr, user) ? { cookie, session, user } : null;
}

/** Signs a browser in, always with a new identifier; returns the `Set-Cookie` header. */
export async function startSession(provider: Provider, user: ProvedUser): Promise<string> {
  const session = new provider.Session();
  session.loginAccount({ accountId: user.user_key, acr: versionMark(user.session_version) });
  await session.save(SESSION_LIFETIME);
  return hostCookie(SESSION_COOKIE, session.jti, SESSION_LIFETIME);
}

/** Signs a browser out; returns the `Set-Cookie` header that removes the cookie. */
export async function endSession(provider: Provider, cookies: string | undefined): Promise<string> {
  const id = cookieIn(cookies, SESSION_COOKIE);
  const session = id === null ? undefined : await provider.Session.find(id);
  await session?.destroy();
  return hostCookie(SESSION_COOKIE, '', 0);
}
