import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ContentContext, contentContext } from '../access/content-context.ts';
import { decodedPath } from '../../http/requests/decoded-path.ts';
import { formOf, isForeign } from '../../http/requests/form.ts';
import { newNonce, pageHeaders } from '../../http/answers/page-headers.ts';
import { html, type Html } from '../../http/answers/html.ts';
import { PREVIEW } from '../items/preview-link.ts';
import { findFeed } from './feeds/find-feed.ts';
import { findPage, type FoundPage, type Visit } from './find-page.ts';
import { formStateIn, type FormOutcome } from './forms/form-state.ts';
import { takeComment, takePassword } from './forms/take-form.ts';
import { articleEntry } from './list-page.ts';
import { newestPosts } from './reading/post-list.ts';
import { hasOwnFront } from './reading/related-items.ts';
import type { SiteDocuments } from './reading/site-documents.ts';
import { readSiteFrame, type SiteFrame } from './reading/site-frame.ts';
import { publishedByUrl } from '../oembed/own-embed.ts';
import { furtherQuery, readSiteAddress, type SiteAddress } from './reading/site-address.ts';
import { sitemapFile, sitemapIndex, type SitemapSection, sitemapSections } from './sitemap.ts';
import type { Service } from '../../models/store/service.ts';
import { searchForm } from './site-header.ts';
import { sitePage } from './site-page.ts';
import { createHash } from 'node:crypto';
import { preconditionStatus } from '../../http/answers/preconditions.ts';

/** Time for which caches may use a document without revalidation, in seconds. */
const MAX_AGE = 60;

/** Sends a document, or 304 if the client has it already. The entity tag is a hash of it (RFC 9110, section 8.8.3). */
export function sendDocument(
  { body, modified = null }: { readonly body: string; readonly modified?: Date | null },
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  // Weak, since it is compressed in transit.
  reply.headers({ ETag: `W/${etag}`, 'Cache-Control': `public, max-age=${MAX_AGE}` });
  const status = preconditionStatus(headers, { etag, modified });
  return status === null ? reply.send(body) : reply.code(status).send();
}

/** Content of the website that the front page shows. */
export interface FrontMatter {
  readonly frame: SiteFrame;
  /** The newest posts, as in lists. */
  readonly newest: readonly Html[];
}

/** A file of the sitemap: addresses of one kind, and a number that counts from 1. */
export interface SitemapFile {
  readonly section: string;
  readonly number: number;
}

const NEWEST = 3;

/** The public pages of the website, built from its content as visitors may see it. */
export class ContentSite {
  readonly #service: Service;
  /** Path of the site, with a trailing slash. */
  readonly root: string;
  readonly #site: string;
  readonly #documents: SiteDocuments | null;

  /** @param documents documentation to which the pages link, and which the search finds; null if there is none */
  constructor(service: Service, siteUrl: URL, documents: SiteDocuments | null = null) {
    this.#service = service;
    this.#documents = documents;
    this.#site = siteUrl.href.replace(/\/$/, '');
    this.root = `${siteUrl.pathname.replace(/\/$/, '')}/`;
  }

  /** Makes the `Link` header with the addresses of the content interface and of an item by number. */
  linkHeader(item?: number): string {
    const api = apiLink(this.#site);
    return item === undefined ? api : `${api}, <${this.#site}/?p=${item}>; rel=shortlink`;
  }

  /** Returns true if the address of the front page has a query for another page: a search, a feed, an item by its number. */
  isOtherPage(request: FastifyRequest): boolean {
    return readSiteAddress('', this.#urlOf(request).searchParams).kind !== 'front';
  }

  /** Reads the common parts of all pages. */
  frame(context = this.#context()): Promise<SiteFrame> {
    return readSiteFrame(this.root, context, this.#documents);
  }

  /** Returns true if a page of the website is its front page. */
  hasOwnFront(): Promise<boolean> {
    return hasOwnFront(this.#context());
  }

  /** Returns true if a published page or post is at a path below the site's. */
  async hasItemAt(path: string): Promise<boolean> {
    return (await publishedByUrl(this.#service, `${this.#site}/${path}`, this.#site)) !== null;
  }

  /** Reads the content that the front page shows. */
  async frontMatter(): Promise<FrontMatter> {
    const context = this.#context();
    const [frame, articles] = await Promise.all([this.frame(context), newestPosts(NEWEST, context)]);
    return { frame, newest: await Promise.all(articles.map((article) => articleEntry(article, frame.language, 'h3'))) };
  }

  /** Answers with the page or feed at an address, a redirect to its permalink, or the page for 404. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { pathname, searchParams } = this.#urlOf(request);
    const address = readSiteAddress(pathname.slice(this.root.length - 1), searchParams);
    if (address.kind === 'feed') return this.#answerFeed(address, request, reply);
    const context = this.#context();
    const visit = {
      cookies: request.headers.cookie,
      form: formStateIn(searchParams),
      preview: searchParams.get(PREVIEW),
    };
    if (address.kind === 'front' && !(await hasOwnFront(context))) {
      return this.redirect(`${this.#site}/${furtherQuery(searchParams)}`, reply);
    }
    const found = await findPage(address, visit, context, this.#documents);
    if (found === null) return this.#sendNotFound(context, reply);
    if (found.link !== null && decodedPath(new URL(found.link).pathname) !== decodedPath(pathname)) {
      return this.redirect(found.link + furtherQuery(searchParams), reply);
    }
    return this.#sendPage(found, context, request, reply);
  }

  /** Takes the password of a protected item. */
  async takePassword(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = this.#context(request);
    const outcome = await takePassword(formOf(request), this.#isForeign(request), context);
    return this.#answerForm(outcome, context, request, reply);
  }

  /** Takes the comment of a visitor. */
  async takeComment(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = this.#context(request);
    const sender = { cookies: request.headers.cookie, isForeign: this.#isForeign(request) };
    return this.#answerForm(await takeComment(formOf(request), sender, context), context, request, reply);
  }

  /** Answers with the list of the sitemap's files, or with one of them. */
  async answerSitemap(file: SitemapFile | null, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = this.#context();
    const sections = [...(await sitemapSections(context)), ...(await this.#documentSections(context))];
    const section = sections.find(({ name }) => name === file?.section);
    const ofFile = file && section ? await sitemapFile(section, file.number) : null;
    const document = file === null ? sitemapIndex(sections, this.#site) : ofFile;
    if (document === null) return this.#sendNotFound(context, reply);
    return sendDocument({ body: document }, request, reply.type('application/xml; charset=utf-8'));
  }

  /** The addresses of the documentation, for search engines. */
  async #documentSections(context: ContentContext): Promise<readonly SitemapSection[]> {
    const { docs } = await this.frame(context);
    if (this.#documents === null || docs === null) return [];
    const paths = await this.#documents.paths();
    const entries = paths.map((path) => ({ link: new URL(docs + path, this.#site).href, modified: null }));
    return [{ name: 'docs', total: entries.length, read: async (skip, limit) => entries.slice(skip, skip + limit) }];
  }

  /** Redirects permanently. */
  redirect(location: string, reply: FastifyReply): FastifyReply {
    return reply
      .code(301)
      .headers({ Location: location, 'Cache-Control': `public, max-age=${MAX_AGE}` })
      .type('text/html; charset=utf-8')
      .send('');
  }

  async #answerFeed(
    { format, of }: Extract<SiteAddress, { kind: 'feed' }>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const context = this.#context();
    const [frame, feed] = await Promise.all([this.frame(context), findFeed(format, of, context)]);
    if (feed === null) return this.#sendNotFound(context, reply);
    if (feed.movedTo !== undefined) return this.redirect(feed.movedTo, reply);
    const modified = new Date(`${feed.modified}Z`);
    reply.type(feed.type).headers({ 'Last-Modified': modified.toUTCString(), Link: this.linkHeader() });
    return sendDocument({ body: await feed.render(frame), modified }, request, reply);
  }

  async #answerForm(
    outcome: FormOutcome,
    context: ContentContext,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    reply.header('Cache-Control', 'no-store');
    if (outcome.kind === 'nothing') return this.#sendNotFound(context, reply);
    if (outcome.kind === 'done') {
      if (outcome.cookie !== undefined) reply.header('Set-Cookie', outcome.cookie);
      return reply.redirect(outcome.link, 303);
    }
    const visit: Visit = { cookies: request.headers.cookie, form: outcome.state, preview: null };
    const found = await findPage({ kind: 'number', id: outcome.item }, visit, context);
    if (found === null) return this.#sendNotFound(context, reply);
    return this.#sendPage({ ...found, isStored: false }, context, request, reply.code(outcome.status));
  }

  async #sendPage(
    found: FoundPage,
    context: ContentContext,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const nonce = newNonce();
    const body = await found.render(await this.frame(context), nonce);
    reply.headers({
      ...pageHeaders(nonce, { images: ['https:'], ...(found.isEmbed && { framedBy: ['*'] }) }),
      // Browsers send the origin of the page with its forms, and to no other site.
      ...(found.item !== undefined && { 'Referrer-Policy': 'same-origin' }),
      Link: this.linkHeader(found.item),
    });
    if (found.isEmbed) return reply.removeHeader('X-Frame-Options').send(body);
    if (found.isPrivate) return reply.header('Cache-Control', 'private, no-store').send(body);
    if (found.isStored === false) return reply.send(body);
    return sendDocument({ body }, request, reply);
  }

  async #sendNotFound(context: ContentContext, reply: FastifyReply): Promise<FastifyReply> {
    const nonce = newNonce();
    const body = notFoundPage(await this.frame(context), nonce);
    return reply
      .code(404)
      .headers({ ...pageHeaders(nonce), 'Cache-Control': 'no-cache', Link: this.linkHeader() })
      .send(body);
  }

  #isForeign(request: FastifyRequest): boolean {
    return isForeign(request, new URL(this.#site).origin);
  }

  #urlOf(request: FastifyRequest): URL {
    return new URL(new URL(this.#site).origin + (request.raw.url ?? '/'));
  }

  /** Makes the context of a visitor: pages are the same for all callers. Only comments name their sender. */
  #context(request?: FastifyRequest): ContentContext {
    const client = { ip: request?.ip ?? '', userAgent: request?.headers['user-agent'] ?? '' };
    return contentContext({ service: this.#service, caller: { kind: 'visitor' }, site: this.#site, client });
  }
}

/** Makes the `Link` to the content interface of a site, whose address has no trailing slash. */
export function apiLink(site: string): string {
  return `<${site}/wp-json/>; rel="https://api.w.org/"`;
}

/** Writes the page for an unknown address. */
function notFoundPage(frame: SiteFrame, nonce: string): string {
  return sitePage(frame, {
    title: 'Page not found',
    description: null,
    canonical: null,
    nonce,
    main: html`<div class="listing wrap">
<header class="listing-head">
<p class="kicker">404</p>
<h1>This page does not exist</h1>
<p class="listing-text">It may have moved. Search for it, or start at the <a href="${frame.root}">front page</a>.</p>
${searchForm(frame.root, 'page')}
</header>
</div>`,
  });
}
