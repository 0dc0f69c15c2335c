import type { FastifyReply } from 'fastify';
import { shareClaims, signTripToken } from '../../auth/trip-token.ts';
import type { StaticFile } from '../../http/answers/static-file.ts';
import { countOpening, openEmbed, type OpenedShare, openShare, type SharedView } from '../../auth/shares.ts';
import { newNonce, pageHeaders } from '../../http/answers/page-headers.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { html } from '../../http/answers/html.ts';
import { parsePlainUrl } from '../../schema/plain-url.ts';
import { componentName, versionedPath } from '../site/component-names.ts';
import { embedPage, endedSharePage, sharePage, shareTitle } from '../site/share-page.ts';
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

/**
 * The pages of shares, `{site_url}/s/{secret}`, images of what they show, `{site_url}/s/{secret}/trip.svg` and `trip.png`, and
 * for other pages a frame, `{site_url}/s/{embed secret}/embed`, with `embed.svg` and `embed.png`, which `{site_url}/oembed`
 * describes.
 */
export function shareEndpoint(
  service: Service,
  config: Omit<SiteConfig, 'baseUrl' | 'dataDir' | 'tlsCert' | 'lan'>,
  components: ReadonlyMap<string, StaticFile> = new Map(),
): Endpoint {
  const { siteUrl, authUrl, mapboxAccessToken } = config;
  const component = versionedPath(componentName(mapboxAccessToken), components);
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
          const { caller, name, isEnded } = opened;
          const nonce = newNonce();
          const token = await signTripToken(service, authUrl, shareClaims(caller, origin, false));
          await countOpening(service, caller.share_key);
          reply.headers({ ...pageHeaders(nonce, mapNeeds(config)), ...HEADERS });
          return sharePage({ root, nonce, secret, caller, name, isEnded, component, token, mapboxAccessToken });
        },
      );
      app.get<{ Params: { secret: string } }>(
        `${root}s/:secret/embed`,
        { exposeHeadRoute: false },
        async (request, reply) => {
          const { secret } = request.params;
          const opened = await openEmbed(service, secret);
          if (opened === null || opened === 'ended') return answerEnded(reply, root, opened);
          const { caller, name, origins } = opened;
          const isEnded = opened.isEnded || caller.scope.lt !== undefined;
          const nonce = newNonce();
          const token = await signTripToken(service, authUrl, shareClaims(caller, origin, true));
          await countOpening(service, caller.share_key, originOf(request.headers.referer) ?? undefined);
          const trips = await readSharedTrips({ service, caller, issuer: authUrl });
          const drawing = String(await shareImage('svg', trips, shareTitle(opened)));
          reply.headers({ ...pageHeaders(nonce, { ...mapNeeds(config), framedBy: origins }), ...HEADERS });
          const discovery = `${origin}${root}oembed?${new URLSearchParams({ url: embedUrl(config, secret) })}`;
          reply.removeHeader('X-Frame-Options');
          const page = { root, nonce, secret, caller, name, isEnded, component, token, mapboxAccessToken };
          return embedPage({ ...page, drawing, discovery });
        },
      );
      app.get<{ Querystring: Record<string, unknown> }>(`${root}oembed`, async (request, reply) => {
        const { url = '', format = 'json', maxwidth, maxheight } = request.query;
        const secret = secretOf(config, String(url));
        const opened = secret === null ? null : await openEmbed(service, secret);
        reply.headers({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store' });
        if (format !== 'json') return reply.code(501).send({ error: 'Only the format json is available' });
        if (secret === null || opened === null || opened === 'ended') {
          return reply.code(404).send({ error: 'This address is not that of an embedded share' });
        }
        return oembedOf(config, secret, opened, { maxwidth, maxheight });
      });
      const images = FORMATS.flatMap((format) => [
        { name: 'trip', open: openShare, format },
        { name: 'embed', open: openEmbed, format },
      ]);
      for (const { name, open, format } of images) {
        app.get<{ Params: { secret: string } }>(
          `${root}s/:secret/${name}.${format}`,
          { exposeHeadRoute: false },
          async (request, reply) => {
            const opened = await open(service, request.params.secret);
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

/** Address of the page that embeds a share, by the secret for it. */
function embedUrl({ siteUrl }: Pick<SiteConfig, 'siteUrl'>, secret: string): string {
  return `${siteUrl.replace(/\/$/, '')}/s/${secret}/embed`;
}

/** The secret in an address that {@link embedUrl} made; null for any other address. */
function secretOf(config: Pick<SiteConfig, 'siteUrl'>, url: string): string | null {
  const secret = /\/s\/([\w-]+)\/embed$/.exec(url)?.[1];
  return secret !== undefined && embedUrl(config, secret) === url ? secret : null;
}

/** Origin of a page's address; null without one. */
function originOf(url: string | undefined): string | null {
  return url === undefined ? null : (parsePlainUrl(url)?.origin ?? null);
}

/** Size of an embedded map, in CSS pixels, unless less is asked for. */
const EMBEDDED = { width: 800, height: 500 };
/** Maximum number of seconds for which others keep the description of an embedded map. */
const MAX_CACHE_SECONDS = 86_400;

/** Describes an embedded map (oEmbed 1.0, section 2.3.4.4, `rich`). */
function oembedOf(
  config: Pick<SiteConfig, 'siteUrl'>,
  secret: string,
  opened: SharedView,
  limits: { readonly maxwidth: unknown; readonly maxheight: unknown },
) {
  const url = embedUrl(config, secret);
  const title = shareTitle(opened);
  const width = Math.min(EMBEDDED.width, Number(limits.maxwidth) || Infinity);
  const proportional = Math.round((width * EMBEDDED.height) / EMBEDDED.width);
  const height = Math.min(proportional, Number(limits.maxheight) || Infinity);
  const frame = html`<iframe src="${url}" title="${title}" width="${width}" height="${height}" frameborder="0" loading="lazy" referrerpolicy="strict-origin" sandbox="allow-scripts allow-same-origin"></iframe>`;
  const remaining = Math.floor((opened.caller.expires - Date.now()) / 1000);
  return {
    ...{ version: '1.0', type: 'rich', title, provider_name: 'Waybridge', provider_url: config.siteUrl },
    ...{ cache_age: Math.min(remaining, MAX_CACHE_SECONDS), html: frame.text, width, height },
    ...(opened.isEnded && {
      ...{ thumbnail_url: `${url}.png`, thumbnail_width: SIZE.width, thumbnail_height: SIZE.height },
    }),
  };
}

/** Answers that a link never existed or has ended. */
function answerEnded(reply: FastifyReply, root: string, opened: Extract<OpenedShare, 'ended' | null>): string {
  reply.code(opened === null ? 404 : 410).headers({ ...pageHeaders(newNonce()), ...HEADERS });
  return endedSharePage(root, opened !== null);
}
