import { extract } from '@extractus/oembed-extractor';
import type { FastifyInstance } from 'fastify';
import Sitemapper from 'sitemapper';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { httpsFetch } from '../../clients/https-fetch.ts';
import { useDatabase } from '../../services/database.ts';

import { listeningSite } from './site-world.ts';

useDatabase();

let app: FastifyInstance;
let site: string;

beforeAll(async () => {
  ({ app, site } = await listeningSite());
});
afterAll(() => app.close());

test('an oEmbed consumer finds by the address of a post how to embed it', async () => {
  const link = `${site}/2024/03/01/first/`;
  const embed = await extract(link, { maxwidth: 400 }, await httpsFetch());
  expect(embed).toMatchObject({
    ...{ method: 'auto-discovery', version: '1.0', type: 'rich', title: 'First', width: 400, height: 225 },
    ...{ provider_name: 'Field notes', author_name: 'Mara M', author_url: `${site}/author/mara/` },
  });
  expect(embed.html).toContain(`src="${link}embed/"`);
});

test('a reader of sitemaps finds every page by the list of files, and by where it was before', async () => {
  for (const path of ['/wp-sitemap.xml', '/sitemap.xml']) {
    const reader = new Sitemapper({ url: site + path, rejectUnauthorized: false, timeout: 30_000 });
    const { sites, errors } = await reader.fetch();
    expect(errors).toEqual([]);
    expect(sites.filter((url) => !url.startsWith(`${site}/docs`))).toHaveLength(12);
    expect(sites).toContain(`${site}/docs/trip-map`);
    expect(sites).toContain(`${site}/about/team/`);
    expect(sites).toContain(`${site}/author/mara/`);
  }
});
