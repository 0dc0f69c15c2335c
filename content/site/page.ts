import { type Html, type HtmlValue, html } from '../../http/answers/html.ts';

import { type SiteHeader, siteHeader } from './site-header.ts';

/** Contents of one page of the site. */
export interface Page {
  readonly title: HtmlValue;
  /** Description for search engines; a page may have none. */
  readonly description: HtmlValue;
  /** Language of the page (BCP 47); American English by default. */
  readonly language?: string;
  /** Further elements of the head. */
  readonly head?: Html | null;
  readonly nonce: string;
  readonly header: SiteHeader;
  /** Names of style sheets besides those of every page. */
  readonly styles: readonly string[];
  /** Module scripts, as paths below the site's. */
  readonly scripts: readonly string[];
  readonly main: Html;
  readonly footer: Html;
}

const STYLES = ['base', 'chrome', 'site-header'];

/** Writes a page of the site: its head, the header, its own content, the footer. */
export function renderPage(page: Page): string {
  const { header, nonce } = page;
  const { root } = header;
  const document = html`<!doctype html>
<html lang="${page.language ?? 'en-US'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
${page.description && html`<meta name="description" content="${page.description}">\n`}<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f8f7">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0c1211">
<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
${page.head}${[...STYLES, ...page.styles].map((name) => html`<link rel="stylesheet" href="${root}site/styles/${name}.css">\n`)}${page.scripts.map((path) => html`<script type="module" nonce="${nonce}" src="${root}${path}"></script>\n`)}</head>
<body>
${siteHeader(header)}<main id="main" tabindex="-1">
${page.main}
</main>
<footer class="site-footer"><div class="wrap">${page.footer}</div></footer>
</body>
</html>
`;
  return document.text;
}
