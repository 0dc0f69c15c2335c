import { type Html, html } from '../../http/answers/html.ts';

import { validXml } from '../../schema/xml.ts';
import { ContentItemStore } from '../models/content-item.ts';
import { TermStore } from '../models/term.ts';
import { WebsiteUserStore } from '../models/website-user.ts';
import type { ContentContext } from '../access/content-context.ts';
import { loadParents } from '../items/item-extras.ts';
import { ADDRESSED, permalinkOf } from '../access/permalink.ts';
import { type ContentKind, CONTENT_KINDS, POST } from '../schema/kinds/content-kinds.ts';
import { TERM_KINDS, type TermKind } from '../schema/kinds/term-kinds.ts';
import { showTerms } from '../terms/term-view.ts';
import { fieldOf } from './reading/article.ts';

/** An address for search engines. */
export interface SitemapEntry {
  readonly link: string;
  /** Time of its last change, in GMT; null if it is not known. */
  readonly modified: string | null;
}

/** Addresses of one kind: their number, and access to a range of them. */
export interface SitemapSection {
  /** As in WordPress's names of files: `posts-page`, `taxonomies-category`, `users`. */
  readonly name: string;
  readonly total: number;
  readonly read: (skip: number, limit: number) => Promise<readonly SitemapEntry[]>;
}

/** The addresses of all published posts and pages, of the categories and tags that have posts, and of authors. */
export async function sitemapSections(context: ContentContext): Promise<readonly SitemapSection[]> {
  const written = CONTENT_KINDS.filter(({ isUploaded }) => !isUploaded);
  return Promise.all([
    ...written.map((kind) => items(kind, context)),
    ...TERM_KINDS.map((kind) => terms(kind, context)),
    authors(context),
  ]);
}

/** The fields that addresses and `loadParents` need. */
const SHOWN = { ...ADDRESSED, modified_gmt: 1, categories: 1, tags: 1 } as const;

async function items({ type, address }: ContentKind, context: ContentContext): Promise<SitemapSection> {
  const filter = { type, status: 'publish' } as const;
  const own =
    address === 'nested' ? ['/', '/blog/'].map((path) => ({ link: context.site + path, modified: null })) : [];
  return {
    name: `posts-${type}`,
    total: own.length + (await ContentItemStore.countDocuments(context.service, filter)),
    read: async (skip, limit) => {
      const first = own.slice(skip, skip + limit);
      const rest = limit - first.length;
      if (rest === 0) return first;
      const found = await ContentItemStore.find(context.service, filter)
        .sort({ date: -1, id: -1 })
        .skip(Math.max(0, skip - own.length))
        .limit(rest)
        .select(SHOWN);
      const above = address === 'nested' ? (await loadParents(context.service, found)).parentOf : () => undefined;
      const linked = found.map((item) => ({
        link: permalinkOf(item, context.site, above),
        modified: item.modified_gmt,
      }));
      return [...first, ...linked];
    },
  };
}

async function terms(kind: TermKind, context: ContentContext): Promise<SitemapSection> {
  const filter = { taxonomy: kind.taxonomy, count: { $gt: 0 } } as const;
  return {
    name: `taxonomies-${kind.taxonomy}`,
    total: await TermStore.countDocuments(context.service, filter),
    read: async (skip, limit) => {
      const found = await TermStore.find(context.service, filter).sort({ id: 1 }).skip(skip).limit(limit);
      const shown = await showTerms(kind, found, context);
      return Promise.all(shown.map(async ({ link }) => ({ link: await fieldOf(link), modified: null })));
    },
  };
}

/** Users with published posts, who are public. */
async function authors({ service, site }: ContentContext): Promise<SitemapSection> {
  const ids = await ContentItemStore.distinct(service, 'author', { type: POST.type, status: 'publish' });
  const filter = { id: { $in: ids } };
  return {
    name: 'users',
    total: await WebsiteUserStore.countDocuments(service, filter),
    read: async (skip, limit) => {
      const found = await WebsiteUserStore.find(service, filter, { _id: 0, slug: 1 })
        .sort({ id: 1 })
        .skip(skip)
        .limit(limit);
      return found.map(({ slug }) => ({ link: `${site}/author/${slug}/`, modified: null }));
    },
  };
}

/** Addresses in one file; the format allows 50,000, fewer keep each answer small. */
const ADDRESSES_PER_FILE = 2000;

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** Writes `wp-sitemap.xml`: the list of the files that have the addresses (sitemaps.org, protocol 0.9). */
export function sitemapIndex(sections: readonly SitemapSection[], site: string, perFile = ADDRESSES_PER_FILE): string {
  const files = sections.flatMap(({ name, total }) =>
    Array.from({ length: Math.ceil(total / perFile) }, (_, at) => `${site}/wp-sitemap-${name}-${at + 1}.xml`),
  );
  return written(
    'sitemapindex',
    files.map((file) => html`<sitemap><loc>${file}</loc></sitemap>\n`),
  );
}

/** Writes one of the files of a section, counted from 1; null if there is none of that number. */
export async function sitemapFile(
  { total, read }: SitemapSection,
  number: number,
  perFile = ADDRESSES_PER_FILE,
): Promise<string | null> {
  const start = (number - 1) * perFile;
  return start >= total ? null : written('urlset', (await read(start, perFile)).map(address));
}

function address({ link, modified }: SitemapEntry): Html {
  return html`<url><loc>${link}</loc>${modified !== null && html`<lastmod>${modified}+00:00</lastmod>`}</url>\n`;
}

function written(element: 'sitemapindex' | 'urlset', contents: readonly Html[]): string {
  const document = html`<?xml version="1.0" encoding="UTF-8"?>
<${element} xmlns="${NAMESPACE}">
${contents}</${element}>
`;
  return validXml(document.text);
}
