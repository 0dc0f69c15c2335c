import type { KoaContextWithOIDC } from 'oidc-provider';

import { newSecret } from '../secrets/secrets.ts';
import { cookieIn } from './cookie-header.ts';
import { deriveTokens, type TokenSource } from './storage/derived-tokens.ts';
import { CODE_LIFETIME } from './storage/visit-storage.ts';

/** Cookie that proves a signed-in browser. `__Host-`, so that no other host name can set it (RFC 6265bis, section 4.1.3). */
export const SESSION_COOKIE = '__Host-waybridge_session';

/** Cookies that tie a request that waits for a user to the browser which brought it; the request's id follows. */
export const FLOW_COOKIE = '__Host-waybridge_flow_';

/** Maximum number of waiting requests of a browser; a further one ends the oldest, so that cookies do not fill the header. */
const MAX_FLOWS = 6;

/** Attributes of every sign-in cookie. `lax`, because apps on other sites send the browser here. */
export const COOKIE_OPTIONS = { path: '/', secure: true, httpOnly: true, sameSite: 'lax', signed: false } as const;

/**
 * Keeps the cookies of the authorization endpoint `__Host-`, which the library would limit to a path and then could not:
 * each waiting request has a cookie of its own name, so that two in one browser do not interfere. Its value is a secret,
 * from which the code is derived.
 */
export async function hostCookies(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const { cookies } = ctx;
  const get = cookies.get.bind(cookies);
  const set = cookies.set.bind(cookies);
  const current = requestOf(ctx.path);
  cookies.get = (name, options) => {
    if (name !== FLOW_COOKIE) return get(name, options);
    const source = flowSource(ctx.headers.cookie, current);
    if (source === null) return undefined;
    deriveTokens(source, ctx);
    return current;
  };
  cookies.set = (name, value, options) => {
    if (name !== FLOW_COOKIE) return set(name, value, options);
    if (value)
      for (const oldest of flowsOf(ctx.headers.cookie).slice(0, 1 - MAX_FLOWS)) set(oldest, null, COOKIE_OPTIONS);
    // The library removes the cookie of a request that is answered; it stays while the answer can be repeated.
    const kept = value ? newSecret('') : (get(FLOW_COOKIE + current, { signed: false }) ?? null);
    const maxAge = value ? options?.maxAge : CODE_LIFETIME * 1000;
    return set(FLOW_COOKIE + (value || current), kept, { ...options, ...COOKIE_OPTIONS, maxAge, overwrite: true });
  };
  await next();
}

/** Names the request that an address continues. */
export function requestOf(path: string): string {
  return /[^/]*$/.exec(path)?.[0] ?? '';
}

/** Source of the code of a request, which only the browser has that brought it; null for any other browser. */
export function flowSource(cookies: string | undefined, uid: string): TokenSource | null {
  const cookie = cookieIn(cookies, FLOW_COOKIE + uid);
  return cookie ? { secret: `${uid} ${cookie}`, salt: '' } : null;
}

/** The cookies of waiting requests, in the order in which the browser made them (RFC 6265, section 5.4). */
function flowsOf(header: string | undefined): string[] {
  return [...(header ?? '').matchAll(/(?:^|;\s*)(__Host-waybridge_flow_[\w-]+)=/g)].map((match) => match[1] ?? '');
}
