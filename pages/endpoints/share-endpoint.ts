import type { FastifyReply } from 'fastify';
import { signTripToken } from '../../auth/trip-token.ts';
import { countOpening, type OpenedShare, openShare } from '../../auth/shares.ts';
import { newNonce, pageHeaders } from '../../http/answers/page-headers.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { endedSharePage, sharePage, shareTitle } from '../site/share-page.ts';
import { readSharedTrips } from '../site/shared-trips.ts';
import { keepFromSignIn, mapNeeds, type SiteConfig } from './site-endpoint.ts';
import type { Service } from '../../models/store/service.ts';
import { loadSharp } from '../../content/media/files/scaled-copies.ts';
import { type DrawnTrip, drawTrips } from '../../schema/trips/trip-drawing.ts';

/** Size that the previews of links have, and half a page of print. */
const SIZE = { width: 1200, height: 630 };
const COLORS = { ground: '#e9eef3', grid: '#dbe2e9', casing: '#ffffff', surface: '#ffffff', text: '#16202e' };

/** Media types of the images of a share by the suffixes of their names. */
const SHARE_IMAGE_TYPES = { svg: 'image/svg+xml; charset=utf-8', png: 'image/png' } as const;

/** Draws trips as an image with a text alternative. A PNG has no text, since a server may have no font. */
async function shareImage(
  format: keyof typeof SHARE_IMAGE_TYPES,
  trips: readonly DrawnTrip[],
  label: string,
): Promise<string | Buffer> {
  const units = format === 'svg' ? 'km' : null;
  const svg = drawTrips(trips, { ...SIZE, colors: COLORS, units, label });
  return format === 'svg' ? svg : loadSharp()(Buffer.from(svg)).png().toBuffer();
}

/** Headers of the pages of shares: neither a referrer nor a search engine learns the address. */
const HEADERS = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow', 'Cache-Control': 'no-store' };

/** Headers of images: mails and pages of other origins may show them. An SVG that is opened by itself runs nothing. */
const IMAGE_HEADERS = {
  ...HEADERS,
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

/** Formats of images, each the end of a path. */
const FORMATS = Object.keys(SHARE_IMAGE_TYPES) as (keyof typeof SHARE_IMAGE_TYPES)[];

/** The pages of shares, `{site_url}/s/{secret}`, and images of what they show, `{site_url}/s/{secret}/trip.svg` and `trip.png`. */
export function shareEndpoint(service: Service, config: Omit<SiteConfig, 'baseUrl' | 'dataDir' | 'tlsCert'>): Endpoint {
  const { siteUrl, authUrl, mapboxAccessToken } = config;
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
          const { secret } = request.params;
          const opened = await openShare(service, secret);
          if (opened === null || opened === 'ended') return answerEnded(reply, root, opened);
          const { caller, nickname } = opened;
          const nonce = newNonce();
          const claims = { sub: `vehicle:${caller.vehicle_key}`, aud: origin, share: caller.share_key };
          const token = await signTripToken(service, authUrl, claims);
          await countOpening(service, caller.share_key);
          reply.headers({ ...pageHeaders(nonce, mapNeeds(config)), ...HEADERS });
          return sharePage({ root, nonce, secret, caller, nickname, token, mapboxAccessToken });
        },
      );
      for (const format of FORMATS) {
        app.get<{ Params: { secret: string } }>(
          `${root}s/:secret/trip.${format}`,
          { exposeHeadRoute: false },
          async (request, reply) => {
            const opened = await openShare(service, request.params.secret);
            if (opened === null || opened === 'ended') return answerEnded(reply, root, opened);
            const { admission } = app;
            const caller = await admission.identify(request, async () => opened.caller);
            const trips = await readSharedTrips({
              service,
              caller,
              work: admission.meter(request, caller),
              issuer: authUrl,
            });
            await countOpening(service, caller.share_key);
            reply.headers(IMAGE_HEADERS).type(SHARE_IMAGE_TYPES[format]);
            return shareImage(format, trips, shareTitle(opened));
          },
        );
      }
    },
  };
}

/** Answers that a link never existed or has ended. */
function answerEnded(reply: FastifyReply, root: string, opened: Extract<OpenedShare, 'ended' | null>): string {
  reply.code(opened === null ? 404 : 410).headers({ ...pageHeaders(newNonce()), ...HEADERS });
  return endedSharePage(root, opened !== null);
}
