import type { FastifyRequest } from 'fastify';

import { isLocalPeer } from '../../http/tls/transport.ts';

/** Tells whether a request comes from this machine, for the address of the site. */
export function isLocalVisit(request: FastifyRequest, siteOrigin: string): boolean {
  return (
    isLocalPeer(request) &&
    URL.canParse(`https://${request.host}`) &&
    new URL(`https://${request.host}`).origin === siteOrigin
  );
}

/**
 * Tells whether a request comes from a page of the site, by `Origin` and, of newer browsers, `Sec-Fetch-Site`
 * (Fetch Metadata, section 2.4). No page of another site can say so, and no form: `Origin` is then theirs, or `null`.
 */
export function isFromSite(request: FastifyRequest, siteOrigin: string): boolean {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = request.headers;
  return origin === siteOrigin && site === 'same-origin';
}
