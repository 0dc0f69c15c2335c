import type { IncomingHttpHeaders } from 'node:http';

/**
 * The `WWW-Authenticate` header of a 401 (RFC 9110, section 11.6.1): a bare challenge to a client that sent no credentials,
 * and `invalid_token` to one with invalid credentials (RFC 6750, section 3.1).
 */
export function bearerChallenge(headers: IncomingHttpHeaders): string {
  const presented = headers.authorization !== undefined || headers['service-api-key'] !== undefined;
  return presented ? 'Bearer realm="waybridge", error="invalid_token"' : 'Bearer realm="waybridge"';
}
