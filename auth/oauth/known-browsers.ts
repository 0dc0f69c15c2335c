import { KnownBrowserStore } from '../../models/sign-in/known-browser.ts';
import { hashSecret, newSecret } from '../secrets/secrets.ts';
import { cookieIn, hostCookie } from './cookie-header.ts';
import type { Service } from '../../models/store/service.ts';

/** Cookie that a browser keeps after a sign-in, also when it is signed out: OWASP's device cookie. It gives no access. */
const BROWSER_COOKIE = '__Host-waybridge_browser';

/** Seconds that a browser is known after a sign-in. */
const KNOWN_FOR = 180 * 86_400;

/** The hash of the cookie that a browser brought, or null if it brought none. */
export function browserHashOf(cookies: string | undefined): string | null {
  const cookie = cookieIn(cookies, BROWSER_COOKIE);
  return cookie ? hashSecret(cookie) : null;
}

/** Finds the keys of the users who have signed in with the cookie of a browser before. */
export async function findUsersOfBrowser(
  service: Service,
  browserHash: string | null,
  now: Date,
): Promise<ReadonlySet<string>> {
  if (browserHash === null) return new Set();
  const known = { browser_hash: browserHash, expires_at: { $gt: now } };
  return new Set(await KnownBrowserStore.distinct(service, 'user_key', known));
}

/** Remembers a browser after a sign-in, replacing a cookie not issued here; returns the `Set-Cookie` header. */
export async function rememberBrowser(
  service: Service,
  cookies: string | undefined,
  userKey: string,
  now: Date,
): Promise<string> {
  const brought = cookieIn(cookies, BROWSER_COOKIE);
  const isOurs =
    brought !== null && (await KnownBrowserStore.countDocuments(service, { browser_hash: hashSecret(brought) })) > 0;
  const cookie = isOurs ? brought : newSecret('');
  await KnownBrowserStore.updateOne(
    service,
    { browser_hash: hashSecret(cookie), user_key: userKey },
    { expires_at: new Date(now.getTime() + KNOWN_FOR * 1000) },
    { upsert: true },
  );
  return hostCookie(BROWSER_COOKIE, cookie, KNOWN_FOR);
}

/** Removes the known browsers of a user except the one with the given hash. */
export async function purgeBrowsers(service: Service, userKey: string, except: string | null = null): Promise<void> {
  await KnownBrowserStore.deleteMany(service, {
    user_key: userKey,
    ...(except !== null && { browser_hash: { $ne: except } }),
  });
}
