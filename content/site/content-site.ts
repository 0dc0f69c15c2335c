import { createHash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { settingsOnce } from '../models/site-settings.ts';
import type { ContentContext } from '../access/content-context.ts';
import { newestPosts } from './reading/post-list.ts';
import { sitemapEntries } from './reading/sitemap-entries.ts';
import { topPages } from './reading/page-family.ts';
import { decodedPath } from '../../http/requests/decoded-path.ts';
import { newNonce, pageHeaders } from '../../http/answers/page-headers.ts';
import type { Html } from '../../http/answers/html.ts';
import { preconditionStatus } from '../../http/answers/preconditions.ts';

import { atomFeed, lastChange } from './feed.ts';
import { findPage, type FoundPage } from './find-page.ts';
import { articleEntry } from './list-page.ts';
import { notFoundPage } from './not-found-page.ts';
import { readSiteAddress } from './site-address.ts';
import type { SiteFrame } from './site-page.ts';
import { sitemap, sitemapFile } from './sitemap.ts';
import { languageTag } from './written-date.ts';

/** Content of the website that the front page shows. */
export interface FrontMatter {
  readonly frame: SiteFrame;
  /** The newest posts, as they stand in lists. */
  readonly newest: readonly Html[];
}

/** Time for which caches may use a page without revalidation, in seconds. */
const MAX_AGE = 60;
const NEWEST = 3;
const IN_FEED = 15;
const TOP_PAGES = 20;

/** The public pages of the website, made of its content as visitors may see it. */
export class ContentSite {
  /** Path of the site, with a slash at its end. */
  readonly root: string;
  readonly #site: string;

  constructor(siteUrl: URL) {
    this.#site = siteUrl.href.replace(/\/$/, '');
    this.root = `${siteUrl.pathname.replace(/\/$/, '')}/`;
  }

  /** Makes the `Link` header that leads to the content interface, and to the short address of an item. */
  linkHeader(item?: number): string {
    const api = apiLink(this.#site);
    return item === undefined ? api : `${api}, <${this.#site}/?p=${item}>; rel=shortlink`;
  }

  /** Tells whether the address of the front page is that of something else: a search, or an item by its number. */
  isOtherPage(request: FastifyRequest): boolean {
    return readSiteAddress('', this.#urlOf(request).searchParams).kind !== 'blog';
  }

  /** Reads the content that the front page shows. */
  async frontMatter(): Promise<FrontMatter> {
    const context = this.#context();
    const [frame, articles] = await Promise.all([this.#frame(context), newestPosts(NEWEST, context)]);
    return { frame, newest: await Promise.all(articles.map((article) => articleEntry(article, frame.language, 'h3'))) };
  }

  /** Answers with the page at an address, a redirect to its permalink, or the page for 404. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { pathname, search, searchParams } = this.#urlOf(request);
    const address = readSiteAddress(pathname.slice(this.root.length - 1), searchParams);
    if (address.kind === 'feed') return this.#redirect(`${this.#site}/feed.xml`, reply);
    const context = this.#context();
    const found = await findPage(address, context);
    if (found === null) return this.#sendNotFound(context, reply);
    if (found.link !== null && !isAt(found.link, pathname)) {
      return this.#redirect(address.kind === 'number' ? found.link : `${found.link}${search}`, reply);
    }
    return this.#sendPage(found, context, request, reply);
  }

  /** Answers with the newest posts, whole. */
  async answerFeed(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = this.#context();
    const [frame, articles] = await Promise.all([this.#frame(context), newestPosts(IN_FEED, context)]);
    const modified = new Date(`${lastChange(articles)}Z`);
    reply.type('application/atom+xml; charset=utf-8').header('Last-Modified', modified.toUTCString());
    return send(await atomFeed(frame, articles), modified, request, reply);
  }

  /** Answers with the addresses of the website, or with one of the files that have them, counted from 1. */
  async answerSitemap(number: number | null, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = this.#context();
    const entries = await sitemapEntries(context);
    const document = number === null ? await sitemap(entries, this.#site) : await sitemapFile(entries, number);
    if (document === null) return this.#sendNotFound(context, reply);
    return send(document, null, request, reply.type('application/xml; charset=utf-8'));
  }

  async #sendPage(
    found: FoundPage,
    context: ContentContext,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const nonce = newNonce();
    const body = await found.render(await this.#frame(context), nonce);
    reply.headers({
      ...pageHeaders(nonce, { images: ['https:'], ...(found.isEmbed && { isFramed: true }) }),
      Link: this.linkHeader(found.item),
    });
    if (found.isEmbed) return reply.removeHeader('X-Frame-Options').send(body);
    return send(body, null, request, reply);
  }

  async #sendNotFound(context: ContentContext, reply: FastifyReply): Promise<FastifyReply> {
    const nonce = newNonce();
    const body = notFoundPage(await this.#frame(context), nonce);
    return reply
      .code(404)
      .headers({ ...pageHeaders(nonce), 'Cache-Control': 'no-cache', Link: this.linkHeader() })
      .send(body);
  }

  #redirect(location: string, reply: FastifyReply): FastifyReply {
    return reply
      .code(301)
      .headers({ Location: location, 'Cache-Control': `public, max-age=${MAX_AGE}` })
      .type('text/html; charset=utf-8')
      .send('');
  }

  #urlOf(request: FastifyRequest): URL {
    return new URL(new URL(this.#site).origin + (request.raw.url ?? '/'));
  }

  /** Makes the context of a visitor: pages are the same for all callers. */
  #context(): ContentContext {
    return {
      caller: { kind: 'visitor' },
      site: this.#site,
      api: `${this.#site}/wp-json`,
      settings: settingsOnce(),
      client: { ip: '', userAgent: '' },
      body: { headers: {}, bytes: new Uint8Array(), files: new Map() },
    };
  }

  async #frame(context: ContentContext): Promise<SiteFrame> {
    const [{ title, description, language }, pages] = await Promise.all([
      context.settings(),
      topPages(TOP_PAGES, context),
    ]);
    return {
      site: this.#site,
      root: this.root,
      title: title ?? '',
      tagline: description ?? '',
      language: languageTag(language),
      pages,
    };
  }
}

/** Makes the `Link` to the content interface of a site, whose address has no slash at its end. */
export function apiLink(site: string): string {
  return `<${site}/wp-json/>; rel="https://api.w.org/"`;
}

/** Sends a document, or 304 if the client has it already. The entity tag is a hash of it (RFC 9110, section 8.8.3). */
function send(body: string, modified: Date | null, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  // Weak, since it is compressed on its way.
  reply.headers({ ETag: `W/${etag}`, 'Cache-Control': `public, max-age=${MAX_AGE}` });
  const status = preconditionStatus(headers, { etag, modified });
  return status === null ? reply.send(body) : reply.code(status).send();
}

/** Tells whether a path is that of an address, however its characters are encoded. */
function isAt(link: string, path: string): boolean {
  return decodedPath(new URL(link).pathname) === decodedPath(path);
}
