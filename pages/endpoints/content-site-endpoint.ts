import type { FastifyRequest } from 'fastify';

import { keepPages } from '../../content/caching/keep-pages.ts';
import type { Addresses } from '../site/addresses.ts';
import type { ContentSite } from '../../content/site/content-site.ts';
import { formTokenInPage } from '../../content/site/forms/comment-form.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { acceptForms } from '../../http/requests/form.ts';

import { keepFromSignIn } from './site-endpoint.ts';
import type { Service } from '../../models/store/service.ts';

/** Paths for programs, in addition to the addresses in the settings. */
const OF_PROGRAMS = ['/api', '/oauth', '/.well-known'];

/** The pages of the website's content: all paths below `{site_url}` that belong to no other endpoint or program. */
export function contentSiteEndpoint(service: Service, config: Addresses, website: ContentSite): Endpoint {
  const { root } = website;
  const isOfPrograms = programsOf(config);
  return {
    name: 'website content',
    register: (app) => {
      keepFromSignIn(app, config);
      app.addHook('onRequest', async (request, reply) => {
        if (isOfPrograms(request)) return reply.callNotFound();
      });
      keepPages(service, app, formTokenInPage);
      acceptForms(app);
      app.get(`${root}sitemap.xml`, (_request, reply) => website.redirect(`${siteOf(config)}/wp-sitemap.xml`, reply));
      app.get(`${root}wp-sitemap.xml`, (request, reply) => website.answerSitemap(null, request, reply));
      app.get<{ Params: { section: string; number: string } }>(
        `${root}wp-sitemap-:section(^[a-z_-]+)-:number(^[1-9]\\d{0,4}).xml`,
        (request, reply) => {
          const { section, number } = request.params;
          return website.answerSitemap({ section, number: Number(number) }, request, reply);
        },
      );
      app.post(`${root}site/password`, (request, reply) => website.takePassword(request, reply));
      app.post(`${root}site/comment`, (request, reply) => website.takeComment(request, reply));
      if (root === '/')
        app.get('/robots.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(robotsOf(config)));
      app.get(`${root}*`, (request, reply) => website.answer(request, reply));
    },
  };
}

/** `robots.txt` that allows everything and names the sitemap (RFC 9309). */
function robotsOf(config: Addresses): string {
  return `User-agent: *\nDisallow:\n\nSitemap: ${siteOf(config)}/wp-sitemap.xml\n`;
}

function siteOf({ siteUrl }: Addresses): string {
  return siteUrl.replace(/\/$/, '');
}

/** Distinguishes requests to the service's interfaces by their paths, and by hosts other than the website's. */
function programsOf({ baseUrl, siteUrl, graphqlUrl }: Addresses): (request: FastifyRequest) => boolean {
  const site = new URL(siteUrl).hostname;
  const others = [baseUrl, graphqlUrl].map((url) => new URL(url));
  const hosts = new Set(others.map(({ hostname }) => hostname).filter((hostname) => hostname !== site));
  const paths = [...OF_PROGRAMS, ...others.map(({ pathname }) => pathname.replace(/\/$/, ''))].filter(Boolean);
  return ({ hostname, raw: { url = '/' } }) => {
    const [path = ''] = url.split('?');
    return hosts.has(hostname.toLowerCase()) || paths.some((one) => path === one || path.startsWith(`${one}/`));
  };
}
