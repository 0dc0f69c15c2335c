import { parseUrl } from '../../schema/parse-url.ts';
import { ContentItemStore, type StoredItem } from '../models/content-item.ts';
import { ATTACHMENT, type ContentKind, kindOf, typesWhere } from '../schema/kinds/content-kinds.ts';

import { ATTACHED, pathOf, upFrom } from '../access/permalink.ts';
import type { Service } from '../../models/store/service.ts';

/** Suffixes of the address of an item: one of its pages, its feed, or the form for embedding. */
const VIEWS = /\/(?:embed|trackback|\d+|page\/\d+|comment-page-\d+|feed(?:\/(?:feed|rdf|rss|rss2|atom))?)$/;

/** The end of the address of an attachment with a numeric slug. */
const NUMBERED = new RegExp(`/${ATTACHED}/([^/]+)$`);

/**
 * The post, page or attachment that an address of the website leads to, regardless of its status; null if there is none,
 * or the address is of another site. Rules: WordPress's `url_to_postid`, with permalinks by day and name.
 *
 * @param site address of the website without a slash at its end
 */
export async function itemByUrl(service: Service, url: string, site: string): Promise<StoredItem | null> {
  const path = pathOn(site, url);
  if (path === null) return null;
  const id = /[?&](?:p|page_id|attachment_id)=(\d+)/.exec(url)?.[1];
  if (id !== undefined && Number(id) > 0) return ContentItemStore.findOne(service, { id: Number(id) });
  const whole = path.replace(/^\/+|\/+$/g, '');
  if (whole === '') return null;
  for (const tried of new Set([
    whole,
    whole.replace(NUMBERED, '/$1'),
    whole.replace(VIEWS, '').replace(NUMBERED, '/$1'),
  ])) {
    const item = await itemAt(service, tried);
    if (item) return item;
  }
  return null;
}

/** The path of an address below the site's; null if its host is another. */
function pathOn(site: string, url: string): string | null {
  const home = new URL(site);
  const address = parseUrl(url, home);
  if (!address) return null;
  const { hostname, pathname } = address;
  const withoutWww = (host: string) => host.replace(/^www\./, '');
  if (withoutWww(hostname) !== withoutWww(home.hostname)) return null;
  const root = home.pathname.replace(/\/$/, '');
  if (!pathname.startsWith(`${root}/`)) return null;
  return pathname.slice(root.length);
}

const isDated = ({ address }: ContentKind) => address === 'dated';

async function itemAt(service: Service, path: string): Promise<StoredItem | null> {
  const [, day, name = '', below] = /^(\d{4}\/\d{2}\/\d{2})\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (day === undefined) return hierarchicalAt(service, path);
  const date = day.replaceAll('/', '-');
  const posts = await ContentItemStore.find(service, { type: { $in: typesWhere(isDated) }, slug: encodedPart(name) });
  const post = posts.find((candidate) => candidate.date.startsWith(date)) ?? null;
  if (below === undefined || post === null) return post;
  return ContentItemStore.findOne(service, { type: ATTACHMENT.type, slug: encodedPart(below), parent: post.id });
}

/** A page below pages, or an attachment below its post. */
async function hierarchicalAt(service: Service, path: string): Promise<StoredItem | null> {
  const slugs = path.split('/').map(encodedPart);
  const types = typesWhere((kind) => !isDated(kind));
  const found = await ContentItemStore.find(service, { type: { $in: types }, slug: { $in: slugs } });
  const wanted = slugs.join('/');
  const byId = new Map(found.map((item) => [item.id, item]));
  const parentOf = (id: number) => byId.get(id);
  // No ancestor is missing, so the path begins at the top.
  const isWhole = (item: StoredItem) => [...upFrom(item, parentOf)].at(-1)?.parent === 0;
  const isThere = (item: StoredItem) => pathOf(item, parentOf) === wanted && isWhole(item);
  const matches = found.filter(({ slug }) => slug === slugs.at(-1)).filter(isThere);
  return matches.find(({ type }) => kindOf(type)?.address === 'nested') ?? matches[0] ?? null;
}

/** A part of a path as slugs are stored: lower case, percent-encoded if it is not ASCII. */
export function encodedPart(part: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(part)).toLowerCase();
  } catch {
    return part.toLowerCase();
  }
}
