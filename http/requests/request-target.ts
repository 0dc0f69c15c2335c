import type { IncomingMessage } from 'node:http';

import { LRUCache } from 'lru-cache';

import { parseUrl } from '../../schema/parse-url.ts';

/** A host name or address with an optional port (RFC 9110, section 7.2). */
const HOST = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_.])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
/** A target in absolute form: scheme, authority, and the rest, which may be absent (RFC 9112, section 3.2.2). */
const ABSOLUTE = /^(https?):\/\/([^/?#]*)(.*)$/is;

/**
 * Brings a request's target into origin form, before routing (RFC 9112, section 3.2): the authority of an absolute one
 * replaces `Host`. An invalid one is left to {@link targetFault}; the original is kept in `originalUrl`.
 */
export function toOriginForm(request: IncomingMessage): string {
  const target = request.url ?? '';
  const [, , authority = '', rest = ''] = ABSOLUTE.exec(target) ?? [];
  if (authority === '') return target;
  if (hasOneHost(request) && isHost(request.headers.host)) request.headers.host = authority;
  const path = rest.replace(/#.*$/s, '');
  if (path === '' && request.method === 'OPTIONS') return '*';
  return path.startsWith('/') ? path : `/${path}`;
}

/** Returns true if a target in absolute form names plain HTTP. */
export function namesPlainHttp(target: string): boolean {
  return ABSOLUTE.exec(target)?.[1]?.toLowerCase() === 'http';
}

/** Names the fault of a request's target or a `Host`, its own or forwarded (RFC 9112, section 3.2); null if there is none. */
export function targetFault(request: IncomingMessage, host: string): string | null {
  const { url = '', method, headers } = request;
  if (!hasOneHost(request) || !isHost(headers.host) || !isHost(host)) return 'The Host header must name a host';
  return url.startsWith('/') || (url === '*' && method === 'OPTIONS') ? null : 'The request target must be a path';
}

/** Cached validity of hosts: parsing one as a URL takes longer than all other checks of a target. */
const hosts = new LRUCache<string, boolean>({ max: 100 });

function isHost(text = ''): boolean {
  const known = hosts.get(text);
  if (known !== undefined) return known;
  const isValid = HOST.test(text) && parseUrl(`https://${text}`) !== null;
  hosts.set(text, isValid);
  return isValid;
}

/** Returns true if exactly one `Host` header came; Node.js keeps the first of several and drops the others. */
function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length === 1;
}
