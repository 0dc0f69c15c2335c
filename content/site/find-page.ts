import type { ContentContext } from '../access/content-context.ts';
import { embedUrl } from '../oembed/embed-markup.ts';
import { publishedByUrl } from '../oembed/own-embed.ts';
import { CATEGORY, TAG } from '../schema/kinds/term-kinds.ts';
import { type Archive, authorArchive, termArchive } from './reading/archives.ts';
import { showArticles } from './reading/article.ts';
import { discussionOf } from './reading/discussion.ts';
import { adjacentPostsOf } from './reading/adjacent-posts.ts';
import { familyOf } from './reading/page-family.ts';
import { listPosts, type PostFilter, searchPages } from './reading/post-list.ts';
import type { HtmlValue } from '../../http/answers/html.ts';

import { articlePage } from './article-page.ts';
import { embedPage } from './embed-page.ts';
import { listPage } from './list-page.ts';
import { boundsOf, type CalendarDate, type SiteAddress } from './site-address.ts';
import type { SiteFrame } from './site-page.ts';
import { textHtml } from './text-html.ts';
import { dateInWords, languageTag } from './written-date.ts';

/** A page that was found. */
export interface FoundPage {
  /** Its permalink, to which other addresses of it are redirected; null for a search. */
  readonly link: string | null;
  /** Number of the item that it shows. */
  readonly item?: number;
  /** True where pages of other sites may frame it. */
  readonly isEmbed?: boolean;
  readonly render: (frame: SiteFrame, nonce: string) => Promise<string>;
}

/** Pages that a search shows above the posts. */
const FOUND_PAGES = 5;

/** Finds the page at an address, as a visitor may see it; null where there is none. */
export async function findPage(address: SiteAddress, context: ContentContext): Promise<FoundPage | null> {
  const { site } = context;
  switch (address.kind) {
    case 'item':
      return findItem(`${site}/${address.path}`, address.isEmbed, context);
    case 'number':
      return findItem(`${site}/?p=${address.id}`, false, context);
    case 'feed':
      return null;
    case 'search':
      return search(address.words, address.page, context);
    case 'blog':
      return list(
        { kind: null, name: 'Blog', link: `${site}/blog/`, filter: {}, mayBeEmpty: true },
        address.page,
        context,
      );
    case 'date':
      return list(await dateList(address.date, context), address.page, context);
    case 'category':
      return listArchive('Category', await termArchive(CATEGORY, address.slug, context), address.page, context);
    case 'tag':
      return listArchive('Tag', await termArchive(TAG, address.slug, context), address.page, context);
    case 'author':
      return listArchive('Author', await authorArchive(address.slug, context), address.page, context);
  }
}

function listArchive(kind: string, archive: Archive | null, page: number, context: ContentContext) {
  return archive && list({ ...archive, name: textHtml(archive.name), kind, mayBeEmpty: true }, page, context);
}

async function findItem(url: string, isEmbed: boolean, context: ContentContext): Promise<FoundPage | null> {
  const item = await publishedByUrl(url, context.site);
  const [article] = item === null ? [] : await showArticles([item], context);
  if (item === null || article === undefined) return null;
  if (isEmbed) {
    const render = (frame: SiteFrame, nonce: string) => embedPage(frame, article, nonce);
    return { link: embedUrl(article.link), item: article.id, isEmbed, render };
  }
  return {
    link: article.link,
    item: article.id,
    render: async (frame, nonce) => {
      const [discussion, adjacentPosts, family] = await Promise.all([
        discussionOf(article.id, context),
        article.kind.address === 'dated' ? adjacentPostsOf(item, context) : null,
        article.kind.address === 'nested' ? familyOf(item, context) : null,
      ]);
      return articlePage(frame, { article, discussion, adjacentPosts, family, nonce });
    },
  };
}

interface NamedList {
  readonly kind: string | null;
  readonly name: HtmlValue;
  readonly description?: string;
  readonly link: string;
  readonly filter: PostFilter;
  /** True where it exists even without posts. */
  readonly mayBeEmpty: boolean;
}

async function list(
  { kind, name, description = '', link, filter, mayBeEmpty }: NamedList,
  page: number,
  context: ContentContext,
): Promise<FoundPage | null> {
  const found = await listPosts(filter, page, context);
  if (page > found.pages || (found.total === 0 && !mayBeEmpty)) return null;
  const linkOf = (number: number) => (number === 1 ? link : `${link}page/${number}/`);
  const shown = { kind, name, description, list: found, others: [], page, linkOf, words: null };
  return { link: linkOf(page), render: (frame, nonce) => listPage(frame, { ...shown, nonce }) };
}

async function dateList(date: CalendarDate, context: ContentContext): Promise<NamedList> {
  const { language } = await context.settings();
  const { year, ...rest } = date;
  const path = [String(year).padStart(4, '0'), ...Object.values(rest).map((part) => String(part).padStart(2, '0'))];
  return {
    kind: 'Posts of',
    name: dateInWords(date, languageTag(language)),
    link: `${context.site}/${path.join('/')}/`,
    filter: boundsOf(date),
    mayBeEmpty: false,
  };
}

async function search(words: string, page: number, context: ContentContext): Promise<FoundPage | null> {
  const nothing = { articles: [], total: 0, pages: 1 };
  const found = words === '' ? nothing : await listPosts({ search: words }, page, context);
  if (page > found.pages) return null;
  const others = words === '' || page > 1 ? [] : await searchPages(words, FOUND_PAGES, context);
  return {
    link: null,
    render: (frame, nonce) => {
      const path = (number: number) => (number === 1 ? frame.root : `${frame.root}page/${number}/`);
      const linkOf = (number: number) => `${path(number)}?s=${encodeURIComponent(words)}`;
      const shown = { kind: null, name: 'Search', description: '', list: found, others, page, linkOf, words };
      return listPage(frame, { ...shown, nonce });
    },
  };
}
