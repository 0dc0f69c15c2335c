/** The `typ` of special-purpose tokens (specification, section C; decisions, "Special-purpose token"). */
const TYPE = 'trips+jwt';

/** Stands for the session of the reader, on pages of the service's own sign-in host: the browser sends its cookie instead of a token. */
export const SESSION = 'session';

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Returns why `token` cannot be a special-purpose token; null if it has the form of one, which only the service can verify. */
export function faultOfServiceToken(token: string | null): string | null {
  if (!token) return 'The service-token attribute is missing';
  if (token === SESSION) return null;
  const header = COMPACT.test(token) ? jsonOf(token.split('.')[0]) : null;
  return header?.typ === TYPE ? null : 'The service-token is not a special-purpose token';
}

/** Reads a token's expiry (milliseconds since 1970) and lifetime (milliseconds); Infinity for what it does not state. */
export function lifetimeOf(token: string): { readonly expires: number; readonly lifetime: number } {
  const { exp, iat } = claimsOf(token);
  const expires = typeof exp === 'number' ? exp * 1000 : Infinity;
  return { expires, lifetime: typeof iat === 'number' ? expires - iat * 1000 : Infinity };
}

/** Reads the claims of a token; none if it is not a JWT. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  return jsonOf(token.split('.')[1]) ?? {};
}

/** Reads a part of a token; null if it is not a base64url-encoded JSON object. */
function jsonOf(part = ''): Readonly<Record<string, unknown>> | null {
  try {
    return Object(JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/'))));
  } catch {
    return null;
  }
}
