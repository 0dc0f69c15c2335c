import { hasPlainHost } from '../../schema/plain-host.ts';
import { ServiceError } from '../../schema/service-error.ts';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Checks an address to which a browser may be sent after sign-in: https, or http on this machine for development, with a
 * plain host and without user info, fragment (RFC 6749, section 3.1.2), wildcard or white space.
 *
 * @returns the address as it was given, because requests must repeat it exactly (RFC 9700, section 4.1.3)
 * @throws ServiceError BAD_REQUEST naming the parameter `redirect_uri`
 */
export function checkRedirectUri(text: string): string {
  const url = hasPlainHost(text) && /^[\x21-\x7e]+$/.test(text) ? new URL(text) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname));
  if (!url || !isSafe || /[#*\\]/.test(text) || url.username !== '' || url.password !== '') {
    throw new ServiceError(
      'BAD_REQUEST',
      'redirect_uri must be an https URL without fragment and wildcard, or an http one on localhost for development',
    );
  }
  return text;
}
