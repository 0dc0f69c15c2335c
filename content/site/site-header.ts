import { type Html, html, type HtmlValue } from '../../http/answers/html.ts';

import type { NamedLink } from './reading/article.ts';
import type { SiteFrame } from './reading/site-frame.ts';
import { textHtml } from './text/text-html.ts';

/** Parts of a page's header. */
export interface SiteHeader extends Pick<SiteFrame, 'root' | 'docs' | 'hasOwnFront'> {
  /** Title of the website as HTML; empty for the name of the project. */
  readonly title: string;
  /** The topmost pages; null if there is no website, and so nothing to search. */
  readonly pages: readonly NamedLink[] | null;
  /** Path or address of the page with this header; null if no link leads to it. */
  readonly current: string | null;
}

/** Names of the search forms, by which assistive technology distinguishes them. */
const SEARCHES = { header: 'Search in the header', menu: 'Search in the menu', page: 'Search' } as const;

interface HeaderLink {
  readonly href: string;
  readonly text: HtmlValue;
}

/**
 * Writes the header of every page: the main sections, the search, and a menu of all topmost pages. On narrow screens, the
 * menu has all of them. It opens without scripts.
 */
export function siteHeader(header: SiteHeader): Html {
  const { root, title, pages, current } = header;
  const sections = sectionsOf(header);
  const links = (pages ?? []).map(({ name, link }) => ({ href: link, text: textHtml(name) }));
  return html`<header class="site-header">
<a class="skip" href="#main">Skip to content</a>
<div class="wrap">
<a class="brand" href="${root}">${brandMark()}<span>${title === '' ? 'Waybridge' : textHtml(title)}</span></a>
<nav class="sections" aria-label="Sections">
${list(sections, current)}</nav>
${pages !== null && searchForm(root, 'header')}
<details class="menu${links.length === 0 && ' is-short'}">
<summary>Menu</summary>
<div class="menu-panel">
${pages !== null && searchForm(root, 'menu')}
<nav class="menu-sections" aria-label="Sections in the menu">
${list(sections, current)}</nav>
${links.length > 0 && html`<nav class="menu-pages" aria-label="Pages of the website">\n${list(links, current)}</nav>\n`}</div>
</details>
</div>
</header>
`;
}

/**
 * A form that searches the website.
 *
 * @param place part of the page that it is in; a page has one of each
 * @param words text of the last search
 */
export function searchForm(root: string, place: keyof typeof SEARCHES, words = ''): Html {
  const id = `${place}-search`;
  return html`<form class="search" role="search" action="${root}" method="get" aria-label="${SEARCHES[place]}">
<label class="unseen" for="${id}">Search this website</label>
<input id="${id}" type="search" name="s" value="${words}" placeholder="Search" maxlength="200" required>
<button class="button" type="submit">Search</button>
</form>`;
}

/** The mark of the project: a way over an arch, from start to end. */
export function brandMark(): Html {
  return html`<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
<rect width="32" height="32" rx="8"/><path d="M7 21.5C8.5 8 23.5 8 25 21.5"/><path class="deck" d="M7 21.5h18"/>
<circle cx="7" cy="21.5" r="3.1"/><circle cx="25" cy="21.5" r="3.1"/></svg>`;
}

function sectionsOf({ root, docs, hasOwnFront, pages }: SiteHeader): HeaderLink[] {
  const ofFront = [
    { href: `${root}#interfaces`, text: 'APIs' },
    { href: `${root}#examples`, text: 'Examples' },
  ];
  return [
    ...(docs === null ? [] : [{ href: docs, text: 'Docs' }]),
    ...(hasOwnFront ? [] : ofFront),
    { href: `${docs ?? `${root}docs`}/component`, text: 'Component' },
    ...(pages === null ? [] : [{ href: `${root}blog/`, text: 'Blog' }]),
  ];
}

function list(links: readonly HeaderLink[], current: string | null): Html {
  return html`<ul>
${links.map(({ href, text }) => html`<li><a href="${href}"${href === current && html` aria-current="page"`}>${text}</a></li>\n`)}</ul>
`;
}
