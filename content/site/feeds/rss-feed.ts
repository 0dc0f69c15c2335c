import { type Html, html } from '../../../http/answers/html.ts';
import type { Article } from '../reading/article.ts';
import type { NewComment } from '../reading/discussion.ts';
import { validXml } from '../../../schema/xml.ts';

import { readableText, textHtml, PROTECTED_TEXT, titleHtml } from '../text/text-html.ts';
import { feedOf, lastChange, type PostFeed } from './feed.ts';

/** A feed of comments. Texts are HTML. */
export interface CommentFeed extends Pick<PostFeed, 'title' | 'self' | 'link' | 'description' | 'language'> {
  readonly comments: readonly NewComment[];
  /** True for comments on a single item, which their titles need not name. */
  readonly isAboutOne: boolean;
}

/** Writes a feed of complete articles. Format: RSS 2.0, with the modules that WordPress uses. */
export async function rssFeed(feed: PostFeed): Promise<string> {
  const items = await Promise.all(feed.articles.map((article) => item(article, feed)));
  return channel(feed, lastChange(feed.articles.map(({ modified }) => modified)), items);
}

/** Writes a feed of comments. Format: RSS 2.0. */
export function rssCommentFeed(feed: CommentFeed): string {
  const items = feed.comments.map((comment) => commentItem(comment, feed.isAboutOne));
  return channel(feed, lastChange(feed.comments.map(({ published }) => published)), items);
}

function channel(
  { title, self, link, description, language }: Omit<CommentFeed, 'comments' | 'isAboutOne'>,
  changed: string,
  items: readonly Html[],
): string {
  const document = html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:slash="http://purl.org/rss/1.0/modules/slash/">
<channel>
<title>${readableText(title)}</title>
<atom:link href="${self}" rel="self" type="application/rss+xml"/>
<link>${link}</link>
<description>${readableText(description)}</description>
<lastBuildDate>${rssDate(changed)}</lastBuildDate>
<language>${language}</language>
<generator>Waybridge</generator>
${items}</channel>
</rss>
`;
  return validXml(document.text);
}

async function item(article: Article, { language, commentCounts, siteTitle }: PostFeed): Promise<Html> {
  const [excerpt, content] = await Promise.all([article.excerpt(), article.content()]);
  const { id, link, guid, published, author, categories, tags, isOpen, isLocked } = article;
  const count = commentCounts.get(id) ?? 0;
  const summary = isLocked ? PROTECTED_TEXT : textHtml(excerpt).text;
  const discussion = html`<comments>${link}#${count > 0 ? 'comments' : 'respond'}</comments>
<wfw:commentRss>${feedOf(link)}</wfw:commentRss>
<slash:comments>${count}</slash:comments>
`;
  return html`<item>
<title>${readableText(titleHtml(article, language).text)}</title>
<link>${link}</link>
<dc:creator>${readableText(author?.name ?? siteTitle)}</dc:creator>
<pubDate>${rssDate(published)}</pubDate>
${[...categories, ...tags].map(({ name }) => html`<category>${readableText(name)}</category>\n`)}<guid isPermaLink="false">${guid}</guid>
<description>${summary}</description>
${content !== '' && html`<content:encoded>${content}</content:encoded>\n`}${(isOpen || count > 0) && discussion}</item>
`;
}

function commentItem({ link, author, about, published, content }: NewComment, isAboutOne: boolean): Html {
  const name = readableText(author);
  return html`<item>
<title>${isAboutOne ? `By: ${name}` : `Comment on ${readableText(about) || 'a post'} by ${name}`}</title>
<link>${link}</link>
<dc:creator>${name}</dc:creator>
<pubDate>${rssDate(published)}</pubDate>
<guid isPermaLink="false">${link}</guid>
<description>${textHtml(content).text}</description>
<content:encoded>${content}</content:encoded>
</item>
`;
}

/** A point in time in the format of RFC 822. */
function rssDate(gmt: string): string {
  return new Date(`${gmt}Z`).toUTCString();
}
