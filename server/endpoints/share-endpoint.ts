import { signTripToken } from '../../auth/trip-token.ts';
import { countOpening, openShare } from '../../auth/shares.ts';
import { newNonce, pageHeaders } from '../../http/answers/page-headers.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { endedSharePage, sharePage } from '../site/share-page.ts';
import { keepFromSignIn, mapNeeds, type SiteConfig } from './site-endpoint.ts';

/** Headers of the pages of shares: neither a referrer nor a search engine learns the address. */
const HEADERS = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow', 'Cache-Control': 'no-store' };

/** The pages of shares, `{site_url}/s/{secret}`. */
export function shareEndpoint(config: Omit<SiteConfig, 'baseUrl' | 'dataDir' | 'tlsCert'>): Endpoint {
  const { siteUrl, authUrl, graphqlUrl, mapboxAccessToken } = config;
  const { origin, pathname } = new URL(siteUrl);
  const root = `${pathname.replace(/\/$/, '')}/`;
  return {
    name: 'shares',
    register: (app) => {
      keepFromSignIn(app, config);
      app.get<{ Params: { secret: string } }>(
        `${root}s/:secret`,
        { exposeHeadRoute: false },
        async (request, reply) => {
          const opened = await openShare(request.params.secret);
          const nonce = newNonce();
          if (opened === null || opened === 'ended') {
            reply.code(opened === null ? 404 : 410).headers({ ...pageHeaders(nonce), ...HEADERS });
            return endedSharePage(root, opened !== null);
          }
          const { caller, nickname } = opened;
          const claims = { sub: `vehicle:${caller.vehicle_key}`, aud: origin, share: caller.share_key };
          const token = await signTripToken(authUrl, claims);
          await countOpening(caller.share_key);
          reply.headers({ ...pageHeaders(nonce, mapNeeds(config)), ...HEADERS });
          return sharePage({ root, nonce, caller, nickname, token, graphqlUrl, mapboxAccessToken });
        },
      );
    },
  };
}
