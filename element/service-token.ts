/** The `typ` of special-purpose tokens (specification, section C; decisions, "Special-purpose token"). */
const TYPE = 'trips+jwt';

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Why a `service-token` cannot be a special-purpose token at all; null where the service has to judge it. */
export function faultOfServiceToken(token: string | null): string | null {
  if (!token) return 'The service-token attribute is missing';
  const header = COMPACT.test(token) ? token.slice(0, token.indexOf('.')) : '';
  try {
    const { typ } = JSON.parse(atob(header.replaceAll('-', '+').replaceAll('_', '/'))) as { typ?: unknown };
    if (typ === TYPE) return null;
  } catch {
    // Falls through: what is not base64url of JSON is no token header.
  }
  return 'The service-token is not a special-purpose token';
}
