import type { Article } from './reading/article.ts';
import { type Html, html } from '../../http/answers/html.ts';

import { titleHtml } from './article-page.ts';
import type { SiteFrame } from './site-page.ts';
import { readableText } from './text-html.ts';
import { validXml } from './valid-xml.ts';

/** Writes a feed of articles, whole. Format: Atom, RFC 4287. */
export async function atomFeed(frame: SiteFrame, articles: readonly Article[]): Promise<string> {
  const { site, title, tagline, language } = frame;
  const entries = await Promise.all(articles.map((article) => entry(article, frame)));
  const document = html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>${site}/</id>
<title type="html">${title}</title>
${tagline !== '' && html`<subtitle type="html">${tagline}</subtitle>\n`}<updated>${lastChange(articles)}Z</updated>
<link rel="self" type="application/atom+xml" href="${site}/feed.xml"/>
<link rel="alternate" type="text/html" href="${site}/blog/"/>
${entries}</feed>
`;
  return validXml(document.text);
}

/** Time of the last change in the feed, in GMT; 1970 for an empty one. */
export function lastChange(articles: readonly Article[]): string {
  return articles
    .map(({ modified }) => modified)
    .reduce((last, one) => (one > last ? one : last), '1970-01-01T00:00:00');
}

async function entry(article: Article, frame: SiteFrame): Promise<Html> {
  const [excerpt, content] = await Promise.all([article.excerpt(), article.content()]);
  const { link, published, modified, author, categories, tags } = article;
  return html`<entry>
<id>${link}</id>
<title type="html">${titleHtml(article, frame.language).text}</title>
<link rel="alternate" type="text/html" href="${link}"/>
<published>${published}Z</published>
<updated>${modified}Z</updated>
<author><name>${readableText(author?.name ?? frame.title)}</name>${author !== null && html`<uri>${author.link}</uri>`}</author>
${[...categories, ...tags].map(({ name }) => html`<category term="${readableText(name)}"/>\n`)}${excerpt !== '' && html`<summary type="html">${excerpt}</summary>\n`}<content type="html">${content}</content>
</entry>
`;
}
