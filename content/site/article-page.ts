import type { Article, NamedLink } from './reading/article.ts';
import type { Discussion, Remark } from './reading/discussion.ts';
import type { AdjacentPosts } from './reading/adjacent-posts.ts';
import type { PageFamily } from './reading/page-family.ts';
import { type Html, html, raw } from '../../http/answers/html.ts';

import { type SiteFrame, sitePage } from './site-page.ts';
import { shortTextHtml, textHtml } from './text-html.ts';
import { dayInWords, timeElement } from './written-date.ts';

/** A post, page or attachment with its comments and related pages. */
export interface ArticlePage {
  readonly article: Article;
  /** Of a post. */
  readonly adjacentPosts: AdjacentPosts | null;
  /** Of a page. */
  readonly family: PageFamily | null;
  readonly discussion: Discussion;
  readonly nonce: string;
}

/** Maximum description of a page for search engines, in characters. */
const DESCRIPTION = 160;

/** Writes the page of a post, page or attachment. */
export async function articlePage(frame: SiteFrame, page: ArticlePage): Promise<string> {
  const { article, adjacentPosts, family, discussion, nonce } = page;
  const [content, excerpt] = await Promise.all([article.content(), article.excerpt()]);
  const title = titleHtml(article, frame.language);
  return sitePage(frame, {
    title,
    description: excerpt === '' ? null : shortTextHtml(excerpt, DESCRIPTION),
    canonical: article.link,
    head: head(article, frame.site),
    nonce,
    main: html`<article class="article wrap">
<header class="article-head">
${kicker(article.categories)}${family !== null && trail(family.above)}<h1>${title}</h1>
${article.kind.address === 'dated' && byline(article, frame.language)}</header>
${article.image !== null && html`<figure class="featured">${raw(article.image.element)}</figure>\n`}<div class="prose">
${article.isProtected ? PROTECTED : raw(content)}
</div>
${article.tags.length > 0 && html`<ul class="terms" aria-label="Tags">${article.tags.map(({ name, link }) => html`<li><a href="${link}" rel="tag">${textHtml(name)}</a></li>\n`)}</ul>\n`}${family !== null && pagesBelow(family.below)}</article>
${discussionSection(discussion, frame.language)}${adjacentPosts !== null && adjacentPostsOf(adjacentPosts)}`,
  });
}

/** Writes the title of an article; one without a title has its date. */
export function titleHtml({ title, date, isProtected }: Article, language: string): Html {
  const text = textHtml(title);
  const shown = text.text === '' ? html`${dayInWords(date, language)}` : text;
  return isProtected ? html`Protected: ${shown}` : shown;
}

/** Writes the date and the author of an article. */
export function byline({ date, author }: Article, language: string): Html {
  return html`<p class="byline">${timeElement(date, language)}${
    author !== null && html` <span>by <a href="${author.link}" rel="author">${textHtml(author.name)}</a></span>`
  }</p>\n`;
}

/** The categories above a title. */
export function kicker(categories: readonly NamedLink[]): Html | null {
  if (categories.length === 0) return null;
  return html`<p class="kicker">${categories.map(({ name, link }) => html`<a href="${link}" rel="category tag">${textHtml(name)}</a>\n`)}</p>\n`;
}

function trail(above: readonly NamedLink[]): Html | null {
  if (above.length === 0) return null;
  return html`<nav class="trail" aria-label="Pages above"><ol>${above.map(({ name, link }) => html`<li><a href="${link}">${linkText(name)}</a></li>\n`)}</ol></nav>\n`;
}

function pagesBelow(below: readonly NamedLink[]): Html | null {
  if (below.length === 0) return null;
  return html`<nav class="below" aria-label="Pages below">
<ul>${below.map(({ name, link }) => html`<li><a href="${link}">${linkText(name)}</a></li>\n`)}</ul>
</nav>
`;
}

function linkText(name: string): Html | string {
  const text = textHtml(name);
  return text.text === '' ? 'Untitled' : text;
}

const PROTECTED = html`<p class="notice">This text is protected by a password.</p>`;

function head({ id, kind, link, image, published, modified }: Article, site: string): Html {
  const embed = `${site}/wp-json/oembed/1.0/embed?url=${encodeURIComponent(link)}`;
  const article = html`<meta property="og:type" content="article">
<meta property="article:published_time" content="${published}+00:00">
<meta property="article:modified_time" content="${modified}+00:00">
`;
  return html`<link rel="shortlink" href="${site}/?p=${id}">
<link rel="alternate" type="application/json+oembed" href="${embed}">
<link rel="alternate" type="text/xml+oembed" href="${embed}&amp;format=xml">
<meta property="og:url" content="${link}">
${kind.address === 'dated' ? article : html`<meta property="og:type" content="website">\n`}${image !== null && html`<meta property="og:image" content="${image.url}">\n`}`;
}

function adjacentPostsOf({ previous, next }: AdjacentPosts): Html | null {
  if (previous === null && next === null) return null;
  return html`<nav class="neighbours wrap" aria-label="Posts">
${previous !== null && adjacentPost(previous, 'prev', 'Previous post')}${next !== null && adjacentPost(next, 'next', 'Next post')}</nav>`;
}

function adjacentPost({ name, link }: NamedLink, rel: 'prev' | 'next', label: string): Html {
  return html`<a class="${rel}" href="${link}" rel="${rel}"><span>${label}</span>${linkText(name)}</a>\n`;
}

/** The comments on an article, each with its answers below it; nothing where there are none. */
function discussionSection({ total, remarks }: Discussion, language: string): Html | null {
  if (remarks.length === 0) return null;
  return html`<section class="discussion wrap" aria-labelledby="comments">
<h2 id="comments">${total === 1 ? 'One comment' : `${total} comments`}</h2>
${thread(remarks, language)}</section>
`;
}

function thread(remarks: readonly Remark[], language: string): Html | null {
  if (remarks.length === 0) return null;
  return html`<ol class="thread">
${remarks.map((remark) => html`<li id="comment-${remark.id}">${comment(remark, language)}${thread(remark.answers, language)}</li>\n`)}</ol>
`;
}

function comment({ id, author, url, date, content }: Remark, language: string): Html {
  const name = author.trim() === '' ? 'Anonymous' : textHtml(author);
  const isLink = /^https?:\/\//i.test(url);
  return html`<article class="remark">
<p class="remark-head"><b>${isLink ? html`<a href="${url}" rel="external nofollow ugc">${name}</a>` : name}</b> <a class="when" href="#comment-${id}">${timeElement(date, language)}</a></p>
<div class="prose">${raw(content)}</div>
</article>
`;
}
