import type { FastifyInstance, InjectOptions } from 'fastify';

import { contentEndpoint } from '../../../content/rest/content-endpoint.ts';
import { ContentSite } from '../../../content/site/content-site.ts';
import { importContent } from '../../../content/transfer/import-content.ts';
import { contentSiteEndpoint } from '../../../server/endpoints/content-site-endpoint.ts';
import { siteEndpoint } from '../../../server/endpoints/site-endpoint.ts';
import { openHost } from '../../services/open-host.ts';

import { websiteDocument } from './content-site-pages.ts';

/** The website of the tests as `inject` reaches it. */
export const SITE = 'https://www.example.com';

const CONFIG = {
  baseUrl: 'https://api.example.com/api/v2',
  authUrl: 'https://login.example.com',
  siteUrl: SITE,
  graphqlUrl: `${SITE}/graphql`,
  dataDir: './data',
  tlsCert: null,
  mapboxAccessToken: null,
};

/** A host with the website and its content interface; who opens it closes it. */
export async function openSite(): Promise<FastifyInstance> {
  await importContent(websiteDocument(), { replace: true, siteUrl: SITE });
  const website = new ContentSite(new URL(SITE));
  return openHost([
    await contentEndpoint(new URL(SITE)),
    await siteEndpoint(CONFIG, null, async () => null, website),
    contentSiteEndpoint(CONFIG, website),
  ]);
}

/** Asks a site as a browser does. */
export const visitorOf =
  (app: FastifyInstance) =>
  (url: string, options: InjectOptions = {}) =>
    app.inject({ url, ...options, headers: { host: 'www.example.com', ...options.headers } });
