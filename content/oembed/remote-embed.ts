import {
  GuardedRequestError,
  PUBLIC_INTERNET,
  type Reach,
  guardedRequest,
  readAnswer,
} from '../../http/outgoing/guarded-request.ts';
import { parseUrl } from '../../schema/parse-url.ts';
import { findTooDeep } from '../../schema/json-depth.ts';

import type { IncomingMessage } from 'node:http';
import { isWritten, parsePlainUrl } from '../../schema/plain-url.ts';

/** A site whose pages can be embedded. */
interface Provider {
  /** Addresses of its pages. */
  readonly pages: RegExp;
  /** Address that describes how a page is embedded. */
  readonly endpoint: string;
}

/** The sites from which the proxy fetches embeds. Source: the well-known providers of WordPress that still respond. */
const PROVIDERS: readonly Provider[] = [
  provider('(?:(?:m|www)\\.)?youtube\\.com/(?:watch|playlist|shorts/|live/)', 'https://www.youtube.com/oembed'),
  provider('youtu\\.be/', 'https://www.youtube.com/oembed'),
  provider('(?:[\\w-]+\\.)*vimeo\\.com/', 'https://vimeo.com/api/oembed.json'),
  provider('(?:www\\.)?dailymotion\\.com/', 'https://www.dailymotion.com/services/oembed'),
  provider('dai\\.ly/', 'https://www.dailymotion.com/services/oembed'),
  provider('(?:www\\.)?flickr\\.com/', 'https://www.flickr.com/services/oembed/'),
  provider('flic\\.kr/', 'https://www.flickr.com/services/oembed/'),
  provider('(?:[\\w-]+\\.)*smugmug\\.com/', 'https://api.smugmug.com/services/oembed/'),
  provider('(?:www\\.)?scribd\\.com/(?:doc|document)/', 'https://www.scribd.com/services/oembed'),
  provider('wordpress\\.tv/', 'https://wordpress.tv/oembed/'),
  provider(
    '(?:www\\.)?twitter\\.com/\\w{1,15}(?:/(?:status(?:es)?|lists|timelines)/|/likes$|$)',
    'https://publish.twitter.com/oembed',
  ),
  provider('(?:www\\.)?soundcloud\\.com/', 'https://soundcloud.com/oembed'),
  provider('(?:[\\w-]+\\.)*slideshare\\.net/', 'https://www.slideshare.net/api/oembed/2'),
  provider('(?:open|play)\\.spotify\\.com/', 'https://open.spotify.com/oembed'),
  provider('(?:[\\w-]+\\.)*imgur\\.com/', 'https://api.imgur.com/oembed'),
  provider('(?:www\\.)?issuu\\.com/.+/docs/', 'https://issuu.com/oembed_wp'),
  provider('(?:www\\.)?mixcloud\\.com/', 'https://app.mixcloud.com/oembed/'),
  provider('(?:(?:www|embed)\\.)?ted\\.com/talks/', 'https://www.ted.com/services/v1/oembed.json'),
  provider('(?:www\\.)?(?:animoto|video214)\\.com/play/', 'https://animoto.com/oembeds/create'),
  provider('[\\w-]+\\.tumblr\\.com/', 'https://www.tumblr.com/oembed/1.0'),
  provider('(?:www\\.)?kickstarter\\.com/projects/', 'https://www.kickstarter.com/services/oembed'),
  provider('cloudup\\.com/', 'https://cloudup.com/oembed'),
  provider('(?:www\\.)?reverbnation\\.com/', 'https://www.reverbnation.com/oembed'),
  provider('videopress\\.com/v/', 'https://public-api.wordpress.com/oembed/'),
  provider('(?:www\\.)?reddit\\.com/r/[^/]+/comments/', 'https://www.reddit.com/oembed'),
  provider('(?:www\\.)?speakerdeck\\.com/', 'https://speakerdeck.com/oembed.json'),
  provider('(?:www\\.)?screencast\\.com/', 'https://api.screencast.com/external/oembed'),
];

/** Hosts of the listed sites, and their subdomains. */
const HOSTS: readonly string[] = [
  ...['youtube.com', 'youtu.be', 'vimeo.com', 'dailymotion.com', 'dai.ly', 'flickr.com', 'flic.kr', 'smugmug.com'],
  ...['scribd.com', 'wordpress.tv', 'wordpress.com', 'twitter.com', 'soundcloud.com', 'slideshare.net', 'spotify.com'],
  ...['imgur.com', 'issuu.com', 'mixcloud.com', 'ted.com', 'animoto.com', 'video214.com', 'tumblr.com'],
  ...['kickstarter.com', 'cloudup.com', 'reverbnation.com', 'videopress.com', 'reddit.com', 'speakerdeck.com'],
  'screencast.com',
];

function provider(pages: string, endpoint: string): Provider {
  return { pages: new RegExp(`^https?://${pages}`, 'i'), endpoint };
}

/** Returns the address at which a listed site describes one of its pages; null for a page of no listed site. */
export function endpointFor(page: string): string | null {
  return PROVIDERS.find(({ pages }) => pages.test(page))?.endpoint ?? null;
}

/** Returns true if the proxy may request a host: that of a listed site, or a subdomain. */
export function isListedHost(hostname: string): boolean {
  return HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}

/** Description of a page that can be embedded. Source: the oEmbed specification, section 2.3.4. */
export type RemoteEmbed = Readonly<Record<string, string | number>>;

/** Parameters of a request for a description. */
export interface EmbedRequest {
  readonly url: string;
  /** In pixels. */
  readonly maxwidth: number;
  /** In pixels; null sets no limit. */
  readonly maxheight: number | null;
  /** True if the page itself may be requested to find the address of its description, if the list does not name it. */
  readonly discover: boolean;
}

/** The sites that may be requested; tests pass their own. */
export interface Sites {
  readonly endpointFor: (page: string) => string | null;
  readonly isListedHost: (hostname: string) => boolean;
  readonly reach: Reach;
}

/** The sites that are listed. */
const LISTED_SITES: Sites = { endpointFor, isListedHost, reach: PUBLIC_INTERNET };

/** Fields of an answer that are passed on; others are dropped. */
const FIELDS = [
  ...['type', 'version', 'title', 'author_name', 'author_url', 'provider_name', 'provider_url', 'cache_age'],
  ...['thumbnail_url', 'thumbnail_width', 'thumbnail_height', 'url', 'html', 'width', 'height'],
] as const;
const TYPES: readonly unknown[] = ['photo', 'video', 'link', 'rich'];

/**
 * Asks a listed site how one of its pages is embedded. If the list does not name the address, the page does so by a `link`
 * in its head, to a listed site as well.
 *
 * @returns null if the page is of no listed site, or the site gives no description
 */
export async function remoteEmbed(request: EmbedRequest, sites: Sites = LISTED_SITES): Promise<RemoteEmbed | null> {
  try {
    const endpoint = sites.endpointFor(request.url) ?? (request.discover ? await discover(request.url, sites) : null);
    if (endpoint === null) return null;
    return readEmbed(await guardedGet(withParameters(endpoint, request), sites.isListedHost, sites.reach));
  } catch (error) {
    if (error instanceof GuardedRequestError) return null;
    throw error;
  }
}

function withParameters(endpoint: string, { url, maxwidth, maxheight }: EmbedRequest): string {
  const address = new URL(endpoint);
  address.searchParams.set('maxwidth', String(maxwidth));
  if (maxheight !== null) address.searchParams.set('maxheight', String(maxheight));
  address.searchParams.set('url', url);
  address.searchParams.set('dnt', '1');
  address.searchParams.set('format', 'json');
  return address.href;
}

async function discover(page: string, { isListedHost, reach }: Sites): Promise<string | null> {
  const { url, status, text } = await guardedGet(page, isListedHost, reach);
  if (status !== 200) return null;
  const [head = ''] = text.split(/<\/head>/i);
  for (const [link] of head.matchAll(/<link\s[^>]*>/gi)) {
    const href = attribute(link, 'href');
    const isDescription = /^application\/json\+oembed$/i.test(attribute(link, 'type') ?? '');
    const address = isDescription && href !== null ? parseUrl(href, url) : null;
    if (address) return address.href;
  }
  return null;
}

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag);
  const value = found?.[1] ?? found?.[2] ?? found?.[3];
  return value?.replace(/&(?:amp|#0?38|#x26);/gi, '&') ?? null;
}

function readEmbed({ status, text }: GuardedAnswer): RemoteEmbed | null {
  if (status !== 200) return null;
  const description = parsed(text);
  if (description === null || !TYPES.includes(description.type)) return null;
  const fields = FIELDS.map((name) => [name, description[name]] as const);
  return Object.fromEntries(
    fields.filter((field): field is [(typeof FIELDS)[number], string | number] =>
      /string|number/.test(typeof field[1]),
    ),
  );
}

function parsed(text: string): Record<string, unknown> | null {
  if (findTooDeep(text) !== null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

const TIMEOUT_MS = 5000;
const BYTE_LIMIT = 256 * 1024;
const REDIRECT_LIMIT = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const HEADERS = { Accept: 'application/json, text/html;q=0.9' };

/** Answer of another site. */
export interface GuardedAnswer {
  readonly url: URL;
  readonly status: number;
  /** The media type, in lower case and without parameters. */
  readonly type: string;
  readonly text: string;
}

/**
 * Reads a page of another site without being led to where this service alone can go ({@link guardedRequest}). Each address,
 * also of every redirect, must be http or https without credentials on an allowed port and host. Limits: 5 seconds in all,
 * 256 KiB, 3 redirects.
 *
 * @param isAllowedHost returns true if a host may be requested, by name
 * @throws GuardedRequestError if the site may not be reached, does not answer in time, or its answer is too large
 */
export async function guardedGet(
  address: string,
  isAllowedHost: (hostname: string) => boolean,
  reach: Reach = PUBLIC_INTERNET,
): Promise<GuardedAnswer> {
  const request = { method: 'GET', headers: HEADERS, reach, signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  let url = checkedUrl(address, isAllowedHost);
  for (let redirects = 0; redirects <= REDIRECT_LIMIT; redirects += 1) {
    const answer = await guardedRequest(url, request);
    const location = REDIRECTS.has(answer.statusCode ?? 0) ? answer.headers.location : undefined;
    if (location === undefined) return read(url, answer);
    answer.destroy();
    url = checkedUrl(location, isAllowedHost, url);
  }
  throw new GuardedRequestError('The site redirects too often');
}

function checkedUrl(address: string, isAllowedHost: (hostname: string) => boolean, base?: URL): URL {
  // The URL parser drops or replaces some characters, so that the following checks would see another address.
  const url = isWritten(address) ? parseUrl(address, base) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new GuardedRequestError('The address is not that of a web page');
  if (!parsePlainUrl(url.href)) throw new GuardedRequestError('The address has no plain host');
  if (url.username !== '' || url.password !== '') throw new GuardedRequestError('The address has credentials');
  if (!isAllowedHost(url.hostname)) throw new GuardedRequestError('The host is not allowed');
  return url;
}

async function read(url: URL, answer: IncomingMessage): Promise<GuardedAnswer> {
  const text = await readAnswer(answer, BYTE_LIMIT);
  const [type = ''] = (answer.headers['content-type'] ?? '').toLowerCase().split(';');
  return { url, status: answer.statusCode ?? 0, type: type.trim(), text };
}
