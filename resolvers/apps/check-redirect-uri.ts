import { parseUrl } from '../../schema/parse-url.ts';
import { parsePlainUrl } from '../../schema/plain-url.ts';
import { ServiceError } from '../../schema/service-error.ts';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

const MAX_REDIRECT_URIS = 20;
/** Maximum length of a redirect address, in characters. */
const MAX_REDIRECT_URI_LENGTH = 2000;

/** A domain in reverse as a scheme, followed by a path without an authority (RFC 8252, section 7.1). */
const PRIVATE_USE = /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+:\/(?!\/)/;

/**
 * Checks the addresses to which a browser may be sent after sign-in: https, or http on this machine (for development,
 * and for native apps), or for a public app a private-use scheme such as `com.example.app:/callback`. None has an
 * encoded host, user info, fragment (RFC 6749, section 3.1.2), wildcard or white space.
 * @returns the addresses as given, without repetitions, since requests must repeat them exactly (RFC 9700, section
 * 4.1.3); only the port of a native app's loopback address may differ (RFC 8252, section 7.3)
 * @throws ServiceError BAD_REQUEST naming `redirect_uris`
 */
export function checkRedirectUris(given: readonly string[], isPublic: boolean): string[] {
  const uris = [...new Set(given)];
  if (uris.length === 0) throw new ServiceError('BAD_REQUEST', 'redirect_uris must have at least one address');
  if (uris.length > MAX_REDIRECT_URIS) {
    throw new ServiceError('BAD_REQUEST', `redirect_uris must have at most ${MAX_REDIRECT_URIS} addresses`);
  }
  for (const uri of uris) checkRedirectUri(uri, isPublic);
  return uris;
}

function checkRedirectUri(text: string, isPublic: boolean): void {
  if (text.length > MAX_REDIRECT_URI_LENGTH) {
    throw new ServiceError(
      'BAD_REQUEST',
      `redirect_uris must be addresses of at most ${MAX_REDIRECT_URI_LENGTH} characters`,
    );
  }
  const isPrivateUse = isPublic && PRIVATE_USE.test(text);
  const parse = isPrivateUse ? parseUrl : parsePlainUrl;
  const url = /^[\x21-\x7e]+$/.test(text) ? parse(text) : null;
  const isSafe =
    isPrivateUse || url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname));
  if (!url || !isSafe || /[#*\\]/.test(text) || url.username !== '' || url.password !== '') {
    throw new ServiceError(
      'BAD_REQUEST',
      'redirect_uris must be https URLs without fragment and wildcard, or http ones on localhost; a public app may also use a scheme of its own such as com.example.app:/callback',
    );
  }
  if (isPublic && url.protocol === 'https:' && LOOPBACK_HOSTS.includes(url.hostname)) {
    throw new ServiceError('BAD_REQUEST', 'redirect_uris of a public app on this machine must be http, not https');
  }
}
