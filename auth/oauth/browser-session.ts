import type { Provider } from 'oidc-provider';

import { unrestricted } from '../../models/store/tenancy.ts';
import { accountNickname } from '../../models/account/account-nickname.ts';
import { UserStore } from '../../models/account/user.ts';
import type { AccountRole } from '../../schema/account/user.ts';
import { hashSecret } from '../secrets/secrets.ts';
import { cookieIn, hostCookie } from './cookie-header.ts';
import { SESSION_COOKIE } from './flow-cookies.ts';
import { SESSION_LIFETIME } from './oauth-provider.ts';
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
export async function findSession(
  service: Service,
  provider: Provider,
  cookies: string | undefined,
): Promise<BrowserSession | null> {
  const id = cookieIn(cookies, SESSION_COOKIE);
  const session = id === null ? undefined : await provider.Session.find(id);
  if (!id || !session?.accountId) return null;
  const user = await UserStore.findOne(unrestricted(service), { key: session.accountId });
  if (!user || user.disabled || !isOfVersion(session.acr, user)) return null;
  const { key: user_key, account_key, email, group_keys, account_role: role } = user;
  const account = await accountNickname(service, account_key);
  const formToken = hashSecret(`form:${id}`);
  return { user_key, account_key, email, account, group_keys, role, uid: session.uid, formToken };
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
