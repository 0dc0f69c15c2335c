import type { FrontMatter } from '../../content/site/content-site.ts';
import type { Addresses } from './addresses.ts';
import { interfacesSection } from './interfaces-section.ts';
import { examplesSection } from './examples-section.ts';
import { hero } from './hero.ts';
import { html, type Html } from '../../http/answers/html.ts';
import { type LiveMap, liveNotice, liveSection } from './live-section.ts';
import { headerOf } from './header-of.ts';
import { feedLinks } from '../../content/site/feeds/feed.ts';
import { renderPage } from '../../content/site/page.ts';
import { searchForm } from '../../content/site/site-header.ts';
import { textHtml } from '../../content/site/text/text-html.ts';

/** State of the demonstration, as visible to the visitor. */
export type Demonstration =
  /** The visitor is on another machine, which does not get the state. */
  | { readonly kind: 'hidden' }
  /** The visitor is on this machine, and there is none. */
  | { readonly kind: 'absent' }
  /** The visitor is on this machine, at an address for which tokens are not issued. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'live'; readonly live: LiveMap };

/** Contents of the front page. */
export interface FrontPage {
  readonly addresses: Addresses;
  readonly root: string;
  readonly nonce: string;
  readonly version: string;
  /** File of the local authority, shown in the examples; null if none is needed, or the visitor may not see it. */
  readonly caFile: string | null;
  readonly demonstration: Demonstration;
  /** Address at which to create the first account; null if there is one, or the visitor may not know. */
  readonly setupUrl: string | null;
  /** Path of the component below the site's. */
  readonly component: string;
  /** The newest content of the website; null if there is none. */
  readonly news: FrontMatter | null;
}

/** Writes the front page of the site. */
export function frontPage(page: FrontPage): string {
  const { addresses, root, nonce, version, caFile, demonstration, setupUrl, news, component } = page;
  const isLive = demonstration.kind === 'live';
  return renderPage({
    title: 'Waybridge: vehicle trips over REST, GraphQL and a web component',
    description:
      'Waybridge stores the positions that vehicles record, splits them into trips, and serves them over REST, GraphQL and the element <service-trips-map>.',
    head: news && feedLinks(news.frame),
    nonce,
    header: headerOf(news?.frame ?? null, root, root),
    styles: [
      'hero',
      'code',
      'sections',
      ...(demonstration.kind === 'hidden' ? [] : LIVE_STYLES),
      ...(news === null ? [] : ['site']),
    ],
    scripts: ['site/browser/copy.js', ...(isLive ? [component, 'site/browser/live.js'] : [])],
    main: html`${hero(isLive, setupUrl)}
${live(demonstration, addresses)}
${interfacesSection(addresses)}
${examplesSection(addresses, caFile)}
${newsSection(news)}`,
    footer: html`<p>Waybridge ${version}. This page sets no cookies and does not track you.</p>
<ul><li><a href="${addresses.graphqlUrl}">GraphQL</a></li><li><a href="${addresses.authUrl}/.well-known/jwks.json">Public keys</a></li><li><a href="/healthz">Health</a></li>${news !== null && html`\n<li><a href="${root}feed/">Feed</a></li>`}</ul>`,
  });
}

const LIVE_STYLES = ['live', 'live-log'];
function live(demonstration: Demonstration, { siteUrl }: Addresses) {
  switch (demonstration.kind) {
    case 'hidden':
      return null;
    case 'absent':
      return liveNotice(
        html`This service has no demonstration data, so there is no live map here. Start it with <code>waybridge serve --demo</code> to add one.`,
      );
    case 'elsewhere':
      return liveNotice(html`The live map is at <a href="${siteUrl}/">${siteUrl}</a>, the address of this site.`);
    case 'live':
      return liveSection(demonstration.live);
  }
}

/** The newest posts of the website, a link to all of them, and its pages; empty if nothing was published. */
function newsSection(news: FrontMatter | null): Html | null {
  if (news === null || (news.newest.length === 0 && news.frame.pages.length === 0)) return null;
  const { frame, newest } = news;
  return html`<section id="news" class="band news" aria-labelledby="news-title">
<div class="wrap">
<div class="section-head">
<h2 id="news-title">${newest.length > 0 ? 'From the blog' : 'More to read'}</h2>
<p>${textHtml(frame.title)}${frame.title !== '' && frame.tagline !== '' && ': '}${textHtml(frame.tagline)}</p>
</div>
${newest.length > 0 && html`<div class="cards">\n${newest}</div>\n`}<div class="news-foot">
<ul class="page-links">
${newest.length > 0 && html`<li><a href="${frame.root}blog/">All posts</a></li>\n`}${frame.pages.map(({ name, link }) => html`<li><a href="${link}">${textHtml(name)}</a></li>\n`)}</ul>
${searchForm(frame.root, 'page')}
</div>
</div>
</section>`;
}
