import { parseUrl } from './parse-url.ts';

const NOT_WRITTEN = /[\p{Cc}\s\\]/u;
const AUTHORITY = /^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#]*)/i;
/**
 * A name of at most 253 characters, of labels of at most 63 (RFC 1035, section 2.3.4), or an IPv6 address in brackets, as the URL parser
 * writes them, with other scripts in Punycode.
 */
const PLAIN = /^(?:(?=.{1,253}\.?$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?|\[[0-9a-f:.]+\])$/;

/** Returns true if an address has no control characters, white space or backslashes, which the URL parser drops or replaces. */
export function isWritten(address: string): boolean {
  return !NOT_WRITTEN.test(address);
}

/**
 * Parses an address with an unambiguous host: a name of letters, digits, hyphens and dots, in any script, an IPv4
 * address as such, or an IPv6 one in brackets; null for any other, and for one with white space, control characters or
 * backslashes. The URL parser accepts more, and rewrites it: it decodes `a%2Ab` into `a*b`, takes `0x7f.1` for
 * `127.0.0.1`, and drops line breaks.
 */
export function parsePlainUrl(address: string): URL | null {
  if (!isWritten(address)) return null;
  const [, authority = ''] = AUTHORITY.exec(address) ?? [];
  const host = authority.replace(/:\d*$/, '').toLowerCase();
  const url = parseUrl(address);
  if (!url || host.includes('%')) return null;
  const { hostname } = url;
  const isAsWritten = hostname === host || hostname.startsWith('[') || /[^!-~]/.test(host);
  return isAsWritten && PLAIN.test(hostname) ? url : null;
}
