import { type Html, html, type HtmlValue } from '../../../http/answers/html.ts';

import type { SiteFrame } from '../reading/site-frame.ts';
import { textHtml } from '../text/text-html.ts';
import type { Article } from '../reading/article.ts';

/** A feed of posts. Texts are HTML. */
export interface PostFeed {
  readonly title: string;
  /** Address of the feed. */
  readonly self: string;
  /** Address of the page with the same posts. */
  readonly link: string;
  readonly description: string;
  /** BCP 47. */
  readonly language: string;
  /** Name of the website, used as author of posts without one. */
  readonly siteTitle: string;
  readonly articles: readonly Article[];
  /** Approved comments on each article that has some, by its number. */
  readonly commentCounts: ReadonlyMap<number, number>;
}

/** Time of the last change in a feed, in GMT; 1970 for an empty one. */
export function lastChange(times: readonly string[]): string {
  return times.reduce((last, one) => (one > last ? one : last), '1970-01-01T00:00:00');
}

/** A feed about the page that names it. */
export interface FeedLink {
  /** Its subject. */
  readonly title: HtmlValue;
  readonly href: string;
}

/** Writes the elements of a page's head by which feed readers find feeds: those of the site, and those of the page. */
export function feedLinks({ site, title }: Pick<SiteFrame, 'site' | 'title'>, ofPage: readonly FeedLink[] = []): Html {
  const name = textHtml(title);
  const rss = [
    { title: 'Feed', href: `${site}/feed/` },
    { title: 'Comments', href: `${site}/comments/feed/` },
    ...ofPage,
  ];
  return html`${rss.map((feed) => html`<link rel="alternate" type="application/rss+xml" title="${name} » ${feed.title}" href="${feed.href}">\n`)}<link rel="alternate" type="application/atom+xml" title="${name} » Atom" href="${site}/feed.xml">\n`;
}

/** The address of the feed of a list of posts, or of the comments on an item. */
export function feedOf(link: string): string {
  return link.includes('?') ? `${link}&feed=rss2` : `${link}feed/`;
}
