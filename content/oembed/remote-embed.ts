import { GuardedRequestError, PUBLIC_INTERNET, type Reach } from '../../http/outgoing/guarded-request.ts';
import { parseUrl } from '../../schema/parse-url.ts';
import { findTooDeep } from '../../schema/json-depth.ts';

import { type GuardedAnswer, guardedGet } from './guarded-get.ts';
import { endpointFor, isListedHost } from './providers.ts';

/** Description of a page that can be embedded. Source: the oEmbed specification, section 2.3.4. */
export type RemoteEmbed = Readonly<Record<string, string | number>>;

/** Parameters of a request for a description. */
export interface EmbedRequest {
  readonly url: string;
  /** In pixels. */
  readonly maxwidth: number;
  /** In pixels; null sets no limit. */
  readonly maxheight: number | null;
  /** True where the page itself may be requested for the address of its description, if the list does not name it. */
  readonly discover: boolean;
}

/** The sites that may be asked; the tests hand in their own. */
export interface Sites {
  readonly endpointFor: (page: string) => string | null;
  readonly isListedHost: (hostname: string) => boolean;
  readonly reach: Reach;
}

/** The sites that are listed in `providers.ts`. */
export const LISTED_SITES: Sites = { endpointFor, isListedHost, reach: PUBLIC_INTERNET };

/** Fields of an answer that are passed on; what else a site says is its own affair. */
const FIELDS = [
  ...['type', 'version', 'title', 'author_name', 'author_url', 'provider_name', 'provider_url', 'cache_age'],
  ...['thumbnail_url', 'thumbnail_width', 'thumbnail_height', 'url', 'html', 'width', 'height'],
] as const;
const TYPES: readonly unknown[] = ['photo', 'video', 'link', 'rich'];

/**
 * Asks a listed site how one of its pages is embedded; where the list does not say whom to ask, the page does by a `link`
 * in its head, if it is a listed site's too.
 *
 * @returns null where the page is of no listed site, or the site does not tell
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
