import { type Html, html, type HtmlValue } from '../../http/answers/html.ts';

import { type FeedLink, feedLinks } from './feeds/feed.ts';
import { renderPage } from './page.ts';
import type { SiteFrame } from './reading/site-frame.ts';
import { textHtml } from './text/text-html.ts';

/** Contents of one page. */
export interface SitePage {
  readonly title: HtmlValue;
  /** For search engines; its title and those of the website if it is empty. */
  readonly description: HtmlValue;
  /** Its address for search engines; null keeps it out of them. */
  readonly canonical: string | null;
  /** Further elements of the head. */
  readonly head?: Html;
  /** Feeds about it, besides those of the website. */
  readonly feeds?: readonly FeedLink[];
  readonly nonce: string;
  readonly main: Html;
}

/** Maximum number of pages in the footer; the menu has all of them. */
const IN_FOOTER = 8;
const STYLES = ['site', 'forms', 'prose', 'discussion'];

/** Writes a page of the website with its header, footer and links for programs. */
export function sitePage(frame: SiteFrame, page: SitePage): string {
  const { site, root, pages, docs, hasOwnFront } = frame;
  const name = frame.title === '' ? 'Waybridge' : textHtml(frame.title);
  const tagline = frame.tagline === '' ? null : html`. ${textHtml(frame.tagline)}`;
  const description = page.description || html`${page.title} · ${name}${tagline}`;
  const isBlog = page.canonical === `${site}/blog/`;
  return renderPage({
    title: html`${page.title} · ${name}`,
    description,
    language: frame.language,
    head: html`${
      page.canonical === null
        ? html`<meta name="robots" content="noindex, follow">\n`
        : html`<link rel="canonical" href="${page.canonical}">\n`
    }${feedLinks(frame, page.feeds)}<link rel="https://api.w.org/" href="${site}/wp-json/">
<meta property="og:site_name" content="${name}">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${description}">
${page.head}`,
    nonce: page.nonce,
    header: { root, title: frame.title, pages, docs, hasOwnFront, current: isBlog ? `${root}blog/` : page.canonical },
    styles: STYLES,
    scripts: [],
    main: page.main,
    footer: footerOf(frame),
  });
}

function footerOf({ root, title, tagline, pages }: SiteFrame): Html {
  return html`<p>${textHtml(title)}${tagline !== '' && html` · ${textHtml(tagline)}`}</p>
<ul>${pages.slice(0, IN_FOOTER).map(({ link, name }) => html`<li><a href="${link}">${textHtml(name)}</a></li>\n`)}<li><a href="${root}blog/">Blog</a></li>
<li><a href="${root}feed/">Feed</a></li></ul>`;
}
