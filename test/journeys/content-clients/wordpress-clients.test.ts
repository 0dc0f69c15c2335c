import { createRequire } from 'node:module';

import apiFetchModule from '@wordpress/api-fetch';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import WPAPI from 'wpapi';

import { mediaStorage } from '../../../content/media/storage/media-storage.ts';
import { addWebsiteUser } from '../../../content/users/manage-website-user.ts';
import { contentEndpoint } from '../../../content/rest/content-endpoint.ts';
import { siteEndpoint } from '../../../pages/endpoints/site-endpoint.ts';
import { uploadsEndpoint } from '../../../server/endpoints/uploads-endpoint.ts';
import { freePort } from '../../../server/start/free-port.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { resetContent } from '../../services/reset-content.ts';
import { httpsFetch } from '../../clients/https-fetch.ts';
import { openHost } from '../../hosts/open-host.ts';
import { testCertificate } from '../../hosts/test-host.ts';

useDatabase();

/** The types of the package describe its CommonJS form; what is imported is the other one. */
const apiFetch = apiFetchModule as unknown as typeof apiFetchModule.default;

let app: FastifyInstance;
let site: string;
let user: { readonly username: string; readonly password: string };
let png: Buffer;

/** Fields of a post that clients receive. */
interface Shown {
  readonly id: number;
  readonly title: { readonly rendered: string };
}

beforeAll(async () => {
  const port = await freePort('127.0.0.1', 0);
  site = `https://localhost:${port}`;
  const { username, application_password } = await addWebsiteUser(
    testService,
    'ada',
    'ada@example.com',
    'administrator',
  );
  user = { username, password: application_password };
  const config = {
    ...{ siteUrl: site, authUrl: site, baseUrl: `${site}/api/v2`, graphqlUrl: `${site}/graphql` },
    ...{ dataDir: './data', tlsCert: null, lan: null, mapboxAccessToken: null },
  };
  const url = new URL(site);
  app = await openHost([
    await contentEndpoint(testService, url),
    uploadsEndpoint(url, mediaStorage(testService)),
    await siteEndpoint(testService, config, new Map(), async () => null),
  ]);
  await app.listen({ port, host: '127.0.0.1' });
  await trustTestAuthority();
  png = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#808080' } })
    .png()
    .toBuffer();
});

beforeEach(() => resetContent());
afterAll(() => app.close());

/** Lets wpapi's HTTP library trust the test authority, as NODE_EXTRA_CA_CERTS would: the client itself has no option. */
async function trustTestAuthority(): Promise<void> {
  const require = createRequire(createRequire(import.meta.url).resolve('wpapi'));
  const { Request }: { Request: { prototype: { _ca: string } } } = require('superagent');
  Request.prototype._ca = (await testCertificate()).ca;
}

describe('the client wpapi', () => {
  const client = () => new WPAPI({ endpoint: `${site}/wp-json`, ...user });

  test('discovers the interface by the front page', async () => {
    const discovered = await WPAPI.discover(site);
    expect(await discovered.posts()).toEqual([]);
    expect(discovered.root('').toString()).toMatch(new RegExp(`^${site}/wp-json/?$`));
  });

  test('creates, reads, changes and deletes posts', async () => {
    const posts = () => client().posts();
    const made = await posts().create({ title: 'Hello', content: 'World', status: 'publish' });
    expect(made).toMatchObject({ status: 'publish', title: { rendered: 'Hello' } });
    expect((await posts().id(made.id).get()).content.rendered).toBe('<p>World</p>\n');
    expect((await posts().id(made.id).update({ title: 'Changed' })).title.rendered).toBe('Changed');
    expect((await posts().id(made.id).revisions().get()).length).toBeGreaterThan(0);
    expect((await posts().id(made.id).delete({ force: true })).deleted).toBe(true);
    await expect(posts().id(made.id).get()).rejects.toMatchObject({ code: 'rest_post_invalid_id' });
  });

  test('pages through a list and embeds what it links to', async () => {
    for (const title of ['one', 'two', 'three']) await client().posts().create({ title, status: 'publish' });
    const first = await client().posts().perPage(2).order('asc').orderby('id').embed();
    expect(first.map(({ title }) => title.rendered)).toEqual(['one', 'two']);
    expect(first._paging).toMatchObject({ total: 3, totalPages: 2 });
    expect(first[0]?._embedded.author[0]?.name).toBe('ada');
    const second = await first._paging.next.get();
    expect(second.map(({ title }) => title.rendered)).toEqual(['three']);
  });

  test('uploads media', async () => {
    const media = await client().media().file(png, 'chart.png').create({ title: 'Chart', alt_text: 'A chart' });
    expect(media).toMatchObject({ title: { raw: 'Chart' }, alt_text: 'A chart', mime_type: 'image/png' });
    expect(media.media_details.sizes.medium).toMatchObject({ width: 300, height: 225 });
    const answer = await (await httpsFetch())(media.source_url);
    expect(Buffer.from(await answer.arrayBuffer()).equals(png)).toBe(true);
  });

  test('hears why it is refused', async () => {
    const stranger = new WPAPI({ endpoint: `${site}/wp-json` });
    await expect(stranger.posts().create({ title: 'x' })).rejects.toMatchObject({
      code: 'rest_cannot_create',
      data: { status: 401 },
    });
    await expect(client().posts().perPage(1000).get()).rejects.toMatchObject({ code: 'rest_invalid_param' });
  });
});

describe('the client @wordpress/api-fetch', () => {
  beforeAll(async () => {
    const fetch = await httpsFetch();
    const credentials = Buffer.from(`${user.username}:${user.password}`).toString('base64');
    apiFetch.use(apiFetch.createRootURLMiddleware(`${site}/wp-json/`));
    apiFetch.setFetchHandler(async ({ url, method, data, headers, parse }) => {
      const answer = await fetch(String(url), {
        ...(method === undefined ? {} : { method }),
        headers: { ...headers, authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
        body: data === undefined ? undefined : JSON.stringify(data),
      });
      if (parse === false) return answer;
      const body = await answer.json();
      if (!answer.ok) throw body;
      return body;
    });
  });

  test('creates, lists, changes by an overridden method, and deletes', async () => {
    const made = await apiFetch<Shown>({ path: '/wp/v2/pages', method: 'POST', data: { title: 'A page' } });
    const changed = await apiFetch<Shown>({ path: `/wp/v2/pages/${made.id}`, method: 'PUT', data: { title: 'New' } });
    expect(changed.title.rendered).toBe('New');
    const drafts = await apiFetch<Shown[]>({ path: '/wp/v2/pages?status=draft&_fields=id,title' });
    expect(drafts).toEqual([{ id: made.id, title: { rendered: 'New' } }]);
    const deleted = await apiFetch<{ deleted: boolean }>({
      path: `/wp/v2/pages/${made.id}?force=true`,
      method: 'DELETE',
    });
    expect(deleted.deleted).toBe(true);
    await expect(apiFetch({ path: `/wp/v2/pages/${made.id}` })).rejects.toMatchObject({
      code: 'rest_post_invalid_id',
      data: { status: 404 },
    });
  });

  test('reads the numbers of a list', async () => {
    const answer = await apiFetch<Response, false>({ path: '/wp/v2/types', parse: false });
    expect(answer.headers.get('link')).toContain('rel="https://api.w.org/"');
  });
});
