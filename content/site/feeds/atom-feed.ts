import { type Html, html } from '../../../http/answers/html.ts';
import type { Article } from '../reading/article.ts';
import { validXml } from '../../../schema/xml.ts';

import { readableText, titleHtml } from '../text/text-html.ts';
import { lastChange, type PostFeed } from './feed.ts';

/** Writes a feed of complete articles. Format: Atom, RFC 4287. */
export async function atomFeed(feed: PostFeed): Promise<string> {
  const { title, self, link, description, language, articles } = feed;
  const entries = await Promise.all(articles.map((article) => entry(article, feed)));
  const document = html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>${link}</id>
<title type="html">${title}</title>
${description !== '' && html`<subtitle type="html">${description}</subtitle>\n`}<updated>${lastChange(articles.map(({ modified }) => modified))}Z</updated>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${link}"/>
${entries}</feed>
`;
  return validXml(document.text);
}

async function entry(article: Article, { language, siteTitle }: PostFeed): Promise<Html> {
  const [excerpt, content] = await Promise.all([article.excerpt(), article.content()]);
  const { link, published, modified, author, categories, tags } = article;
  return html`<entry>
<id>${link}</id>
<title type="html">${titleHtml(article, language).text}</title>
<link rel="alternate" type="text/html" href="${link}"/>
<published>${published}Z</published>
<updated>${modified}Z</updated>
<author><name>${readableText(author?.name ?? siteTitle)}</name>${author !== null && html`<uri>${author.link}</uri>`}</author>
${[...categories, ...tags].map(({ name }) => html`<category term="${readableText(name)}"/>\n`)}${excerpt !== '' && html`<summary type="html">${excerpt}</summary>\n`}<content type="html">${content}</content>
</entry>
`;
}
