import type { SitemapEntries, SitemapEntry } from './reading/sitemap-entries.ts';
import { html } from '../../http/answers/html.ts';

import { validXml } from './valid-xml.ts';

/** Addresses in one file; the format allows 50,000, fewer keep each answer small. */
export const ADDRESSES_PER_FILE = 10_000;

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** Writes `sitemap.xml` (sitemaps.org, protocol 0.9): all addresses or, if too many, the list of their files. */
export async function sitemap(entries: SitemapEntries, site: string, perFile = ADDRESSES_PER_FILE): Promise<string> {
  if (entries.total + 2 <= perFile) {
    const own = [`${site}/`, `${site}/blog/`].map((link) => ({ link, modified: null }));
    return addresses([...own, ...(await entries.read(0, perFile))]);
  }
  const files = Array.from({ length: Math.ceil(entries.total / perFile) }, (_, index) => index + 1);
  const document = html`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="${NAMESPACE}">
${files.map((number) => html`<sitemap><loc>${site}/sitemap-${number}.xml</loc></sitemap>\n`)}</sitemapindex>
`;
  return validXml(document.text);
}

/** Writes one of the files of a long list, counted from 1; null where there is none of that number. */
export async function sitemapFile(
  entries: SitemapEntries,
  number: number,
  perFile = ADDRESSES_PER_FILE,
): Promise<string | null> {
  const found = await entries.read((number - 1) * perFile, perFile);
  return found.length === 0 ? null : addresses(found);
}

function addresses(entries: readonly SitemapEntry[]): string {
  const document = html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="${NAMESPACE}">
${entries.map(({ link, modified }) => html`<url><loc>${link}</loc>${modified !== null && html`<lastmod>${modified}+00:00</lastmod>`}</url>\n`)}</urlset>
`;
  return validXml(document.text);
}
