import type { Article, PictureUse } from './reading/article.ts';
import type { PostList } from './reading/post-list.ts';
import { type Html, html, raw } from '../../http/answers/html.ts';

import { byline, kicker } from './article-page.ts';
import { type FeedLink, feedOf } from './feeds/feed.ts';
import { searchForm } from './site-header.ts';
import { type DocumentMatch, hasAllWords } from './reading/site-documents.ts';
import type { SiteFrame } from './reading/site-frame.ts';
import { sitePage } from './site-page.ts';
import { shortTextHtml, PROTECTED_TEXT, titleHtml } from './text/text-html.ts';
import type { NamedList } from './reading/find-list.ts';

/** A page of a list of articles. */
export interface ListPage extends Pick<NamedList, 'kind' | 'name' | 'description' | 'link'> {
  readonly list: PostList;
  /** Pages found in addition to the posts. */
  readonly others: readonly Article[];
  /** Parts of the documentation that match the search. */
  readonly sections: readonly DocumentMatch[];
  readonly page: number;
  /** Address of a page of the list. */
  readonly linkOf: (page: number) => string;
  /** Text of the search; null if the list is not a search. */
  readonly words: string | null;
  readonly nonce: string;
}

/** Maximum length of an excerpt in a list, in characters. */
const EXCERPT = 220;

/** Width of pictures in a list: beside the text, or above it on narrow screens. */
const IN_LIST: PictureUse = { sizes: '(min-width: 36rem) 9.5rem, 94vw', loading: 'lazy' };
/** Width of pictures in the cards of the front page. */
const IN_CARD: PictureUse = { sizes: '(min-width: 48rem) 22rem, 94vw', loading: 'lazy' };

/** Writes a page of a list. */
export async function listPage(frame: SiteFrame, page: ListPage): Promise<string> {
  const { kind, name, description, words } = page;
  const entries = await entriesOf(frame, page);
  const number = page.page === 1 ? null : html` (page ${page.page})`;
  return sitePage(frame, {
    title: html`${words === null ? name : words === '' ? 'Search' : html`Search for “${words}”`}${number}`,
    description: description === '' ? null : shortTextHtml(description, 160),
    canonical: words === null ? page.linkOf(page.page) : null,
    feeds: feedsOf(page),
    nonce: page.nonce,
    main: html`<div class="listing wrap">
<header class="listing-head">
${kind !== null && html`<p class="kicker">${kind}</p>\n`}<h1>${name}</h1>
${description !== '' && html`<div class="listing-text">${raw(description)}</div>\n`}${words !== null && searchForm(frame.root, 'page', words)}</header>
${summary(page)}${entries.length > 0 && html`<div class="entries">\n${entries}</div>\n`}${pager(page)}</div>`,
  });
}

/**
 * The entries of a list. Those of a search whose titles have all its words are first; the others are parts of the
 * documentation, pages and posts, in this order.
 */
async function entriesOf(frame: SiteFrame, { list, others, sections, words }: ListPage): Promise<readonly Html[]> {
  const articles = [...others, ...list.articles].map(async (article) => ({
    title: article.title,
    entry: await articleEntry(article, frame.language, 'h2'),
  }));
  const matches = sections.map((match) => ({
    title: `${match.document ?? ''} ${match.heading}`,
    entry: documentEntry(frame.docs ?? '', match),
  }));
  const entries = [...matches, ...(await Promise.all(articles))];
  const isFirst = ({ title }: { readonly title: string }) => words !== null && hasAllWords(title, words);
  return [...entries.filter(isFirst), ...entries.filter((entry) => !isFirst(entry))].map(({ entry }) => entry);
}

/** A part of the documentation in the results of a search: its heading, its document, and some of its text. */
function documentEntry(docs: string, { path, heading, document, excerpt }: DocumentMatch): Html {
  return html`<article class="entry">
<div class="entry-text">
<p class="kicker"><span>Docs${document !== null && html` › ${document}`}</span></p>
<h2><a href="${docs}/${path}">${heading}</a></h2>
<p>${excerpt}</p>
</div>
</article>
`;
}

/** The feed of a list; that of all posts is the website's. */
function feedsOf({ kind, name, link, words }: ListPage): readonly FeedLink[] {
  if (words === '' || (kind === null && words === null)) return [];
  return [{ title: words === null ? html`${name} ${kind}` : `Search for “${words}”`, href: feedOf(link) }];
}

/** An article in a list: its title, beginning, date and author. */
export async function articleEntry(article: Article, language: string, heading: 'h2' | 'h3'): Promise<Html> {
  const excerpt = article.isLocked ? null : shortTextHtml(await article.excerpt(), EXCERPT);
  const title = html`<a href="${article.link}">${titleHtml(article, language)}</a>`;
  return html`<article class="entry">
<div class="entry-text">
${kicker(article.categories)}${heading === 'h2' ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
${excerpt === null ? html`<p>${PROTECTED_TEXT}</p>\n` : excerpt.text !== '' && html`<p>${excerpt}</p>\n`}${article.kind.address === 'dated' && byline(article, language)}</div>
${article.image !== null && html`<div class="entry-image">${raw(article.image.element(heading === 'h2' ? IN_LIST : IN_CARD))}</div>\n`}</article>
`;
}

function summary({ list, others, sections, words }: ListPage): Html | null {
  if (words === '') return null;
  const count = list.total + others.length + sections.length;
  if (count === 0) {
    return html`<p class="notice">${words === null ? 'Nothing has been published here yet.' : html`Nothing was found for “${words}”.`}</p>\n`;
  }
  if (words === null) return null;
  return html`<p class="count" role="status">${count === 1 ? 'One result' : `${count} results`}</p>\n`;
}

function pager({ list, page, linkOf }: ListPage): Html | null {
  if (list.pages <= 1) return null;
  return html`<nav class="pager" aria-label="Pages">
${page > 1 ? html`<a class="button quiet" rel="prev" href="${linkOf(page - 1)}">Newer</a>` : html`<span></span>`}
<span>Page ${page} of ${list.pages}</span>
${page < list.pages ? html`<a class="button quiet" rel="next" href="${linkOf(page + 1)}">Older</a>` : html`<span></span>`}
</nav>
`;
}
