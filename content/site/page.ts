import { type Html, type HtmlValue, html } from '../../http/answers/html.ts';

/** Contents of one page of the site. */
export interface Page {
  readonly title: HtmlValue;
  /** Description for search engines; a page may have none. */
  readonly description: HtmlValue;
  /** Language of the page (BCP 47); English unless given. */
  readonly language?: string;
  /** Name of the site in the header; the project's unless given. */
  readonly brand?: HtmlValue;
  /** Further elements of the head. */
  readonly head?: Html;
  /** Path of the site, `/` where it is a host of its own; with a slash at its end. */
  readonly root: string;
  readonly nonce: string;
  /** Links of the header, besides the name of the site. */
  readonly navigation: readonly NavigationLink[];
  /** Names of style sheets besides those of every page. */
  readonly styles: readonly string[];
  /** Module scripts, as paths below `root`. */
  readonly scripts: readonly string[];
  readonly main: Html;
  readonly footer: Html;
}

/** A link in a page's header. */
export interface NavigationLink {
  readonly href: string;
  readonly text: HtmlValue;
  /** True for a link to the page that it is on. */
  readonly isCurrent?: boolean;
}

/** Writes a page of the site: its head, the header with the navigation, its own content, the footer. */
export function renderPage(page: Page): string {
  const { root, nonce } = page;
  const document = html`<!doctype html>
<html lang="${page.language ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
${page.description && html`<meta name="description" content="${page.description}">\n`}<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f8f7">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0c1211">
<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
${page.head}${['base', 'chrome', ...page.styles].map((name) => html`<link rel="stylesheet" href="${root}site/styles/${name}.css">\n`)}${page.scripts.map((path) => html`<script type="module" nonce="${nonce}" src="${root}${path}"></script>\n`)}</head>
<body>
<header class="site-header">
<a class="skip" href="#main">Skip to content</a>
<div class="wrap">
<a class="brand" href="${root}">${brandMark()}<span>${page.brand ?? 'Waybridge'}</span></a>
<nav aria-label="Sections">
<ul>
${page.navigation.map(({ href, text, isCurrent }) => html`<li><a href="${href}"${isCurrent && html` aria-current="page"`}>${text}</a></li>\n`)}</ul>
</nav>
</div>
</header>
<main id="main" tabindex="-1">
${page.main}
</main>
<footer class="site-footer"><div class="wrap">${page.footer}</div></footer>
</body>
</html>
`;
  return document.text;
}

/** The mark of the project: a way over an arch, from start to end. */
export function brandMark(): Html {
  return html`<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
<rect width="32" height="32" rx="8"/><path d="M7 21.5C8.5 8 23.5 8 25 21.5"/><path class="deck" d="M7 21.5h18"/>
<circle cx="7" cy="21.5" r="3.1"/><circle cx="25" cy="21.5" r="3.1"/></svg>`;
}
