import { type Html, html } from '../../http/answers/html.ts';

import type { SitemapEntry, SitemapSection } from './reading/sitemap-sections.ts';
import { validXml } from './text/valid-xml.ts';

/** Addresses in one file; the format allows 50,000, fewer keep each answer small. */
export const ADDRESSES_PER_FILE = 2000;

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

/** Writes one of the files of a section, counted from 1; null where there is none of that number. */
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
