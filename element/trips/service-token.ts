/** The `typ` of special-purpose tokens (specification, section C; decisions, "Special-purpose token"). */
const TYPE = 'trips+jwt';

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Why a `service-token` cannot be a special-purpose token at all; null where the service has to judge it. */
export function faultOfServiceToken(token: string | null): string | null {
  if (!token) return 'The service-token attribute is missing';
  const header = COMPACT.test(token) ? jsonOf(token.split('.')[0]) : null;
  return header?.typ === TYPE ? null : 'The service-token is not a special-purpose token';
}

/** When a token ends and how long it lives, in milliseconds, by its own word; Infinity where it says neither. */
export function lifeOfServiceToken(token: string): { readonly ends: number; readonly lives: number } {
  const { exp, iat } = jsonOf(token.split('.')[1]) ?? {};
  const ends = typeof exp === 'number' ? exp * 1000 : Infinity;
  return { ends, lives: typeof iat === 'number' ? ends - iat * 1000 : Infinity };
}

/** Reads a part of a token; null where it is no base64url of a JSON object. */
function jsonOf(part = ''): Readonly<Record<string, unknown>> | null {
  try {
    return Object(JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/'))));
  } catch {
    return null;
  }
}
