import type { ContentContext } from '../access/content-context.ts';
import { embedUrl } from '../oembed/embed-markup.ts';
import { findAnyItem } from '../items/find-item.ts';
import { mayPreview } from '../items/preview-link.ts';
import { publishedByUrl } from '../oembed/own-embed.ts';
import { articlePage } from './article-page.ts';
import { embedPage } from './embed-page.ts';
import { findList, type NamedList } from './reading/find-list.ts';
import { newFormToken, passwordByCookie } from './forms/signed.ts';
import { listPage } from './list-page.ts';
import { showArticles } from './reading/article.ts';
import { discussionOf } from './reading/discussion.ts';
import { familyOf, adjacentPostsOf, frontPageId } from './reading/related-items.ts';
import { movedItem } from './reading/moved-item.ts';
import { pageContent } from './reading/page-content.ts';
import { listPosts, searchPages } from './reading/post-list.ts';
import type { SiteAddress } from './reading/site-address.ts';
import type { SiteDocuments } from './reading/site-documents.ts';
import type { SiteFrame } from './reading/site-frame.ts';
import type { StoredItem } from '../models/content-item.ts';
import { PAGE } from '../schema/kinds/content-kinds.ts';
import type { FormState } from './forms/form-state.ts';

/** A page that was found. */
export interface FoundPage {
  /** Its permalink, to which its other addresses are redirected; null for a search. */
  readonly link: string | null;
  /** Number of the item that it shows. */
  readonly item?: number;
  /** True if pages of other sites may frame it. */
  readonly isEmbed?: boolean;
  /**
   * False if caches may not store it: it is password-protected, so that it depends on the visitor's cookies, or its comment form
   * has a token with the time at which it was shown.
   */
  readonly isStored?: boolean;
  /** True if nothing may store it: it is for who has its address. */
  readonly isPrivate?: boolean;
  readonly render: (frame: SiteFrame, nonce: string) => Promise<string>;
}

/** Pages that a search shows above the posts. */
const FOUND_PAGES = 5;

/** Finds the page at an address, as a visitor may see it; null if there is none. */
export async function findPage(
  address: SiteAddress,
  visit: Visit,
  context: ContentContext,
  documents: SiteDocuments | null = null,
): Promise<FoundPage | null> {
  const { site } = context;
  const show = async (url: string, isEmbed = false) =>
    showItem(await publishedByUrl(context.service, url, site), isEmbed, visit, context);
  switch (address.kind) {
    case 'item':
      return (
        (await show(`${site}/${address.path}`, address.isEmbed)) ??
        showItem(await movedItem(address.path, context), address.isEmbed, visit, context)
      );
    case 'number':
      return (await showPreview(address.id, visit, context)) ?? show(`${site}/?p=${address.id}`);
    case 'front':
      return show(`${site}/?p=${await frontPageId(context)}`);
    case 'feed':
    case 'comments':
      return null;
    case 'search':
      return search(address.words, address.page, context, documents);
    default: {
      const list = await findList(address, context);
      return list && listed(list, address.page, context);
    }
  }
}

async function showItem(
  item: StoredItem | null,
  isEmbed: boolean,
  visit: Visit,
  context: ContentContext,
): Promise<FoundPage | null> {
  if (item === null) return null;
  const password = isEmbed ? undefined : await passwordByCookie(context.service, item, visit.cookies);
  const [found] = await showArticles([item], context, { password });
  if (found === undefined) return null;
  const isFront = !isEmbed && item.type === PAGE.type && item.id === (await frontPageId(context));
  const article = isFront ? { ...found, link: `${context.site}/` } : found;
  if (isEmbed) {
    const render = (frame: SiteFrame, nonce: string) => embedPage(frame, article, nonce);
    return { link: embedUrl(article.link), item: article.id, isEmbed, render };
  }
  const shown = { ...article, content: async () => pageContent(await article.content(), context) };
  const token = article.isOpen && !article.isLocked ? await newFormToken(context.service, article.id) : null;
  return {
    link: article.link,
    item: article.id,
    isStored: !article.isProtected && token === null,
    render: async (frame, nonce) => {
      const [discussion, adjacentPosts, family] = await Promise.all([
        discussionOf(article.id, context, password),
        article.kind.address === 'dated' ? adjacentPostsOf(item, context) : null,
        article.kind.address === 'nested' ? familyOf(item, context) : null,
      ]);
      return articlePage(frame, { article: shown, discussion, adjacentPosts, family, nonce, token, form: visit.form });
    },
  };
}

/** The page of an item as it will be, for who has the link to it; null without a valid one. */
async function showPreview(id: number, { preview, form }: Visit, context: ContentContext): Promise<FoundPage | null> {
  const item = preview === null ? null : await findAnyItem(context.service, id);
  if (preview === null || item === null || item.status === 'trash') return null;
  if (!(await mayPreview(context.service, item, preview))) return null;
  const [article] = await showArticles([{ ...item, status: 'publish', password: '' }], context);
  if (article === undefined) return null;
  const shown = { ...article, content: async () => pageContent(await article.content(), context) };
  const alone = { adjacentPosts: null, family: null, discussion: { total: 0, remarks: [] }, token: null, form };
  const render = (frame: SiteFrame, nonce: string) =>
    articlePage(frame, { ...alone, article: { ...shown, isOpen: false }, isPreview: true, nonce });
  return { link: null, item: id, isStored: false, isPrivate: true, render };
}

async function listed(list: NamedList, page: number, context: ContentContext): Promise<FoundPage | null> {
  const found = await listPosts(list.filter, page, context);
  if (page > found.pages || (found.total === 0 && !list.mayBeEmpty)) return null;
  const linkOf = (number: number) => (number === 1 ? list.link : `${list.link}page/${number}/`);
  const shown = { ...list, list: found, others: [], sections: [], page, linkOf, words: null };
  return { link: linkOf(page), render: (frame, nonce) => listPage(frame, { ...shown, nonce }) };
}

async function search(
  words: string,
  page: number,
  context: ContentContext,
  documents: SiteDocuments | null,
): Promise<FoundPage | null> {
  const nothing = { articles: [], total: 0, pages: 1 };
  const found = words === '' ? nothing : await listPosts({ search: words }, page, context);
  if (page > found.pages) return null;
  const isFirst = words !== '' && page === 1;
  const [others, sections] = isFirst
    ? await Promise.all([searchPages(words, FOUND_PAGES, context), documents?.search(words) ?? []])
    : [[], []];
  return {
    link: null,
    render: (frame, nonce) => {
      const query = `?s=${encodeURIComponent(words)}`;
      const linkOf = (number: number) => (number === 1 ? frame.root : `${frame.root}page/${number}/`) + query;
      const shown = {
        kind: null,
        name: 'Search',
        description: '',
        link: `${frame.site}/${query}`,
        list: found,
        others,
        sections,
        page,
        linkOf,
        words,
      };
      return listPage(frame, { ...shown, nonce });
    },
  };
}

/** Facts about the visitor of a page, from the request. */
export interface Visit {
  /** The `Cookie` header. */
  readonly cookies: string | undefined;
  /** Proof that an item may be previewed; null if there is none. */
  readonly preview: string | null;
  /** State of the forms of the page. */
  readonly form: FormState;
}
