import type { NamedLink } from './reading/article.ts';
import { type Html, html, type HtmlValue } from '../../http/answers/html.ts';
import { type NavigationLink, renderPage } from './page.ts';

import { textHtml } from './text-html.ts';

/** Parts that all pages of the website have in common. */
export interface SiteFrame {
  /** Address of the website without a slash at its end. */
  readonly site: string;
  /** Path of the site, with a slash at its end. */
  readonly root: string;
  /** Title of the website, as its editors set it. */
  readonly title: string;
  readonly tagline: string;
  /** BCP 47. */
  readonly language: string;
  /** The topmost pages. */
  readonly pages: readonly NamedLink[];
}

/** Contents of one page. */
export interface SitePage {
  readonly title: HtmlValue;
  readonly description: HtmlValue;
  /** Its address for search engines; null keeps it out of them. */
  readonly canonical: string | null;
  /** Further elements of the head. */
  readonly head?: Html;
  readonly nonce: string;
  readonly main: Html;
}

/** Pages that the header has room for; the footer has all of them. */
const IN_HEADER = 3;
const STYLES = ['site-header', 'site', 'prose', 'discussion'];

/** Writes a page of the website with its header, footer and links for programs. */
export function sitePage(frame: SiteFrame, page: SitePage): string {
  const { site, root } = frame;
  const name = frame.title === '' ? 'Waybridge' : textHtml(frame.title);
  return renderPage({
    title: html`${page.title} · ${name}`,
    description: page.description,
    language: frame.language,
    brand: name,
    head: html`${
      page.canonical === null
        ? html`<meta name="robots" content="noindex, follow">\n`
        : html`<link rel="canonical" href="${page.canonical}">\n`
    }<link rel="alternate" type="application/atom+xml" title="${name}" href="${site}/feed.xml">
<link rel="https://api.w.org/" href="${site}/wp-json/">
<meta property="og:site_name" content="${name}">
<meta property="og:title" content="${page.title}">
${page.description && html`<meta property="og:description" content="${page.description}">\n`}${page.head}`,
    root,
    nonce: page.nonce,
    navigation: navigationOf(frame, page.canonical),
    styles: STYLES,
    scripts: [],
    main: page.main,
    footer: footerOf(frame),
  });
}

/**
 * A form that searches the website.
 *
 * @param words text of the last search
 */
export function searchForm(root: string, words: string, id: string): Html {
  return html`<form class="search" role="search" action="${root}" method="get">
<label class="unseen" for="${id}">Search this website</label>
<input id="${id}" type="search" name="s" value="${words}" placeholder="Search" maxlength="200" required>
<button class="button" type="submit">Search</button>
</form>`;
}

function navigationOf({ site, root, pages }: SiteFrame, current: string | null): NavigationLink[] {
  const links = [
    { href: `${root}blog/`, link: `${site}/blog/`, text: 'Blog' },
    ...pages.slice(0, IN_HEADER).map(({ link, name }) => ({ href: link, link, text: textHtml(name) })),
    { href: `${root}?s=`, link: '', text: 'Search' },
  ];
  return links.map(({ href, link, text }) => ({ href, text, isCurrent: link === current }));
}

function footerOf({ root, title, tagline, pages }: SiteFrame): Html {
  return html`<p>${textHtml(title)}${tagline !== '' && html` · ${textHtml(tagline)}`}</p>
<ul>${pages.map(({ link, name }) => html`<li><a href="${link}">${textHtml(name)}</a></li>\n`)}<li><a href="${root}blog/">Blog</a></li>
<li><a href="${root}feed.xml">Feed</a></li></ul>`;
}
