import type { FastifyInstance, InjectOptions } from 'fastify';

import { contentEndpoint } from '../../../content/rest/content-endpoint.ts';
import { ContentSite } from '../../../content/site/content-site.ts';
import { importContent } from '../../../content/transfer/import-content.ts';
import { Documentation } from '../../../pages/documentation/documentation.ts';
import { documentationEndpoint } from '../../../pages/endpoints/documentation-endpoint.ts';
import { accountDescription } from '../../../server/endpoints/account-endpoint.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { contentSiteEndpoint } from '../../../pages/endpoints/content-site-endpoint.ts';
import { siteEndpoint } from '../../../pages/endpoints/site-endpoint.ts';
import { freePort } from '../../../server/start/free-port.ts';
import { openHost } from '../../hosts/open-host.ts';

import { websiteDocument } from './content-site-pages.ts';
import { testService } from '../../services/database.ts';

/** Address of the website of the tests, as `inject` reaches it. */
export const SITE = 'https://www.example.com';

/** A host with the website and its content interface; who opens it closes it. */
export async function openSite(
  site = SITE,
  document: object = websiteDocument(),
  settings: Readonly<Record<string, string>> = {},
): Promise<FastifyInstance> {
  const url = new URL(site);
  await importContent(testService, document, { replace: true, siteUrl: site });
  const config = readConfig({ SITE_URL: site, ...settings });
  const documentation = new Documentation(config, () => accountDescription(config));
  const website = new ContentSite(testService, url, documentation);
  return openHost([
    await contentEndpoint(testService, url),
    await siteEndpoint(testService, config, new Map(), async () => null, website, documentation),
    documentationEndpoint(testService, website, documentation),
    contentSiteEndpoint(testService, config, website),
  ]);
}

/** As {@link openSite}, for clients that connect: with its address. */
export async function listeningSite(document?: object): Promise<{ app: FastifyInstance; site: string }> {
  const port = await freePort('127.0.0.1', 0);
  const site = `https://localhost:${port}`;
  const app = await openSite(site, document);
  await app.listen({ host: '127.0.0.1', port });
  return { app, site };
}

/** Asks a site as a browser does. */
export const visitorOf =
  (app: FastifyInstance) =>
  (url: string, options: InjectOptions = {}) =>
    app.inject({ url, ...options, headers: { host: 'www.example.com', ...options.headers } });
