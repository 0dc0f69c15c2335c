import type { Article, NamedLink, PictureUse } from './reading/article.ts';
import type { Discussion, Remark } from './reading/discussion.ts';
import type { PageFamily, AdjacentPosts } from './reading/related-items.ts';
import { html, type Html, raw } from '../../http/answers/html.ts';
import { type FeedLink, feedOf } from './feeds/feed.ts';
import { commentForm } from './forms/comment-form.ts';
import type { FormFault, FormState } from './forms/form-state.ts';
import type { SiteFrame } from './reading/site-frame.ts';
import { sitePage } from './site-page.ts';
import { shortTextHtml, textHtml, PROTECTED_TEXT, titleHtml } from './text/text-html.ts';
import { timeElement } from './text/written-date.ts';

/** A post, page or attachment with its comments and related pages. */
export interface ArticlePage {
  readonly article: Article;
  /** Of a post. */
  readonly adjacentPosts: AdjacentPosts | null;
  /** Of a page. */
  readonly family: PageFamily | null;
  readonly discussion: Discussion;
  /** Token of the comment form; null if visitors may not comment. */
  readonly token: string | null;
  readonly form: FormState;
  /** True if it is not as visitors see it yet. */
  readonly isPreview?: boolean;
  readonly nonce: string;
}

/** Maximum description of a page for search engines, in characters. */
const DESCRIPTION = 160;

/** Writes the page of a post, page or attachment. */
export async function articlePage(frame: SiteFrame, page: ArticlePage): Promise<string> {
  const { article, adjacentPosts, family, form, nonce } = page;
  const [content, excerpt] = await Promise.all([article.content(), article.excerpt()]);
  const title = titleHtml(article, frame.language);
  return sitePage(frame, {
    title,
    description: excerpt === '' ? null : shortTextHtml(excerpt, DESCRIPTION),
    canonical: page.isPreview ? null : article.link,
    head: head(article, frame.site),
    feeds: commentFeedOf(page),
    nonce,
    main: html`${page.isPreview === true && html`<p class="notice wrap" role="status">This is a preview, which ends when it is saved again, or after an hour.</p>\n`}<article class="article wrap">
<header class="article-head">
${kicker(article.categories)}${family !== null && trail(family.above)}<h1>${title}</h1>
${article.kind.address === 'dated' && byline(article, frame.language)}</header>
${article.image !== null && html`<figure class="featured">${raw(article.image.element(IN_ARTICLE))}</figure>\n`}<div class="prose">
${article.isLocked ? passwordForm(frame.root, article.id, form.fault) : raw(content)}
</div>
${article.tags.length > 0 && html`<ul class="terms" aria-label="Tags">${article.tags.map(({ name, link }) => html`<li><a href="${link}" rel="tag">${textHtml(name)}</a></li>\n`)}</ul>\n`}${family !== null && pagesBelow(family.below)}</article>
${discussionSection(frame, page)}${adjacentPosts !== null && adjacentPostsOf(adjacentPosts)}`,
  });
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

/** Width of the picture of an article: that of its column, or of the screen without its margins. */
const IN_ARTICLE: PictureUse = { sizes: '(min-width: 48rem) 44rem, 94vw' };

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

/** The feed of the comments on an article, if it has or allows comments. */
function commentFeedOf({ article, discussion }: ArticlePage): readonly FeedLink[] {
  if (article.isLocked || (!article.isOpen && discussion.total === 0)) return [];
  return [{ title: html`${textHtml(article.title)} Comments`, href: feedOf(article.link) }];
}

/** The comments on an article, each with its replies below it, and the form for a new one. */
function discussionSection({ root, language }: SiteFrame, page: ArticlePage): Html | null {
  const { article, discussion, token, form: state } = page;
  const { total, remarks } = discussion;
  const closed = token === null && !article.isLocked && state.fault;
  if (remarks.length === 0 && token === null && !closed) return null;
  const title = total === 0 ? 'Comments' : total === 1 ? 'One comment' : `${total} comments`;
  const answered = authorOf(state.parent, remarks);
  const form = token !== null && { root, item: article.id, link: article.link, token, state, answered };
  return html`<section class="discussion wrap" aria-labelledby="comments">
<h2 id="comments">${title}</h2>
${thread(remarks, token === null ? null : article.link, language)}${form && commentForm(form)}${closed && html`<p class="notice fault" role="alert">${closed.message}</p>\n`}</section>
`;
}

/** Name of the author of a comment, as HTML; null if there is no such comment. */
function authorOf(id: number, remarks: readonly Remark[]): string | null {
  for (const remark of remarks) {
    if (remark.id === id) return nameOf(remark);
    const below = authorOf(id, remark.answers);
    if (below !== null) return below;
  }
  return null;
}

function nameOf({ author }: Remark): string {
  return author.trim() === '' ? 'Anonymous' : author;
}

/** @param link address of the article if it can be commented on */
function thread(remarks: readonly Remark[], link: string | null, language: string): Html | null {
  if (remarks.length === 0) return null;
  return html`<ol class="thread">
${remarks.map((remark) => html`<li id="comment-${remark.id}">${comment(remark, link, language)}${thread(remark.answers, link, language)}</li>\n`)}</ol>
`;
}

function comment(remark: Remark, link: string | null, language: string): Html {
  const { id, url, date, content } = remark;
  const name = textHtml(nameOf(remark));
  const isLink = /^https?:\/\//i.test(url);
  const reply = html`<p class="reply"><a href="${link}?replytocom=${id}#respond" rel="nofollow">Reply<span class="unseen"> to ${name}</span></a></p>\n`;
  return html`<article class="remark">
<p class="remark-head"><b>${isLink ? html`<a href="${url}" rel="external nofollow ugc">${name}</a>` : name}</b> <a class="when" href="#comment-${id}">${timeElement(date, language)}</a></p>
<div class="prose">${raw(content)}</div>
${link !== null && reply}</article>
`;
}

/** Writes the form that asks for the password of an item. */
function passwordForm(root: string, item: number, fault: FormFault | null): Html {
  return html`<form class="form password" method="post" action="${root}site/password">
<p>${PROTECTED_TEXT} Enter it to read on. A cookie remembers it in this browser for ten days.</p>
<input type="hidden" name="post" value="${item}">
<div class="field">
<label for="post-password">Password</label>
<input id="post-password" type="password" name="post_password" autocomplete="off" maxlength="255" required${fault !== null && html` aria-invalid="true" aria-describedby="post-password-fault"`}>
${fault !== null && html`<p class="fault" id="post-password-fault" role="alert">${fault.message}</p>\n`}</div>
<button class="button" type="submit">Open</button>
</form>`;
}
