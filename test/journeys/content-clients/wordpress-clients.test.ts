import { createRequire } from 'node:module';

import apiFetchModule from '@wordpress/api-fetch';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import WPAPI from 'wpapi';

import { mediaStorage } from '../../../content/media/storage/media-storage.ts';
import { TermStore } from '../../../content/models/term.ts';
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

  describe('sends the requests of @wordpress/core-data 5.9, which', () => {
    const read = <T>(path: string) => apiFetch<T>({ path });
    const allowed = async (path: string, method: string) => {
      const { headers } = await apiFetch<Response, false>({ path, method, parse: false });
      return headers.get('allow')?.split(', ') ?? [];
    };

    test('finds by kinds and taxonomies where their objects are', async () => {
      const types = await read<Record<string, { rest_base: string; labels: object }>>('/wp/v2/types?context=edit');
      expect(types).toMatchObject({ post: { rest_base: 'posts' }, page: { rest_base: 'pages' } });
      expect(types.post?.labels).toHaveProperty('singular_name', 'Post');
      const taxonomies = await read('/wp/v2/taxonomies?context=edit&per_page=-1');
      expect(taxonomies).toMatchObject({ category: { rest_base: 'categories' }, post_tag: { rest_base: 'tags' } });
      expect(await read('/wp/v2/types/post?context=edit')).toHaveProperty('viewable', true);
    });

    test('reads people and settings', async () => {
      const me = await read<{ id: number }>('/wp/v2/users/me');
      for (const path of ['/wp/v2/users/?who=authors&per_page=100', `/wp/v2/users?who=authors&include=${me.id}`]) {
        expect(await read(path), path).toEqual([expect.objectContaining({ id: me.id, name: 'ada' })]);
      }
      expect(await read(`/wp/v2/users/${me.id}?context=edit`)).toHaveProperty('email', 'ada@example.com');
      expect(await read('/wp/v2/settings?context=edit')).toHaveProperty('date_format');
      expect(await read('/wp/v2/settings/?context=edit')).toHaveProperty('date_format');
      expect(await read('/?context=edit')).toHaveProperty('url', site);
    });

    test('saves, reads, searches and deletes posts', async () => {
      const body = '<!-- wp:paragraph -->\n<p>Text</p>\n<!-- /wp:paragraph -->';
      const data = { title: 'Drive', content: body, status: 'publish' };
      const { id } = await apiFetch<Shown>({ path: '/wp/v2/posts', method: 'POST', data });
      const path = `/wp/v2/posts/${id}`;
      expect(await read(`${path}?context=edit`)).toMatchObject({ content: { raw: body } });
      await apiFetch({ path, method: 'PUT', data: { title: 'Drives' } });
      const some = `/wp/v2/posts?${new URLSearchParams({ per_page: '10', _fields: 'title.raw,id', context: 'edit' })}`;
      expect(await read(some)).toEqual([{ id, title: { raw: 'Drives' } }]);
      expect(await read('/wp/v2/search?search=drives&per_page=20&type=post')).toEqual([
        expect.objectContaining({ id, title: 'Drives', type: 'post', subtype: 'post' }),
      ]);
      expect(await read(`${path}/revisions?per_page=-1&context=edit`)).toHaveLength(2);
      expect(await allowed(path, 'GET')).toEqual(expect.arrayContaining(['GET', 'PUT', 'DELETE']));
      await expect(read(`${path}/autosaves?context=edit`)).rejects.toMatchObject({ code: 'rest_no_route' });
      expect(await apiFetch({ path, method: 'DELETE' })).toMatchObject({ id, status: 'trash' });
    });

    test('reads every term, page after page', async () => {
      const added = Array.from({ length: 120 }, (_, at) => ({ name: `Tag ${at}`, slug: `tag-${at}` }));
      await TermStore.insertMany(
        testService,
        added.map((tag, at) => ({ ...tag, id: 10 + at, taxonomy: 'post_tag', name_folded: tag.name.toLowerCase() })),
      );
      const query = 'per_page=-1&orderby=name&order=asc&_fields=id%2Cname%2Cparent&context=edit';
      const tags = await read<object[]>(`/wp/v2/tags?${query}`);
      expect(tags).toHaveLength(121);
      expect(tags[0]).toEqual({ id: 3, name: 'beta' });
      expect(await read(`/wp/v2/categories?${query}`)).toEqual([
        { id: 2, name: 'News', parent: 0 },
        { id: 1, name: 'Uncategorized', parent: 0 },
      ]);
    });

    test('asks what it may do, and how an address is embedded', async () => {
      expect(await allowed('/wp/v2/media', 'OPTIONS')).toContain('POST');
      const data = { title: 'Drive', status: 'publish' };
      const { link } = await apiFetch<{ link: string }>({ path: '/wp/v2/posts', method: 'POST', data });
      const embed = await read(`/oembed/1.0/proxy?url=${encodeURIComponent(link)}`);
      expect(embed).toMatchObject({ type: 'rich', title: 'Drive' });
      const nowhere = `/oembed/1.0/proxy?url=${encodeURIComponent(`${site}/nowhere/`)}`;
      await expect(read(nowhere)).rejects.toMatchObject({ data: { status: 404 } });
    });
  });
});

describe('the requests of gatsby-source-wordpress 3', () => {
  /** Paths that are no lists, by which the client does not go on. */
  const EXCLUDED = /^\/$|^\/v[23]\/|\/[12]\.0$|\/(?:embed|proxy)$|^\/jwt-auth\//;
  type Route = { readonly _links?: object; readonly namespace: string };

  /** Reads each path that the index links to, page by page; one that cannot be read is its status. */
  async function everything(status?: string): Promise<Record<string, unknown>> {
    const fetch = await httpsFetch();
    const index = (await (await fetch(`${site}/wp-json`)).json()) as { routes: Record<string, Route> };
    const lists = Object.entries(index.routes).filter(([path, route]) => route._links && !EXCLUDED.test(path));
    const pageOf = async (path: string, page: number) =>
      fetch(`${site}/wp-json${path}?per_page=2&page=${page}${status === undefined ? '' : `&status=${status}`}`);
    const read = async (path: string) => {
      const first = await pageOf(path, 1);
      if (first.status !== 200) return first.status;
      const items = [await first.json()].flat();
      const pages = first.headers.has('x-wp-total') ? Number(first.headers.get('x-wp-totalpages')) : 1;
      for (let page = 2; page <= pages; page += 1) items.push(...((await (await pageOf(path, page)).json()) as []));
      return items;
    };
    return Object.fromEntries(await Promise.all(lists.map(async ([path]) => [path, await read(path)] as const)));
  }

  test.each([
    ['that name no status', undefined],
    ['of its last version, whose status is empty', ''],
  ])('%s find all that visitors may read', async (_, status) => {
    const client = new WPAPI({ endpoint: `${site}/wp-json`, ...user });
    for (const title of ['one', 'two', 'three']) await client.posts().create({ title, status: 'publish' });
    await client.pages().create({ title: 'About', status: 'publish' });
    await client.media().file(png, 'chart.png').create({ title: 'Chart' });
    const { '/wp/v2': _index, ...found } = await everything(status);
    const titles = (path: string) => (found[path] as Shown[]).map(({ title }) => title.rendered).sort();
    expect(titles('/wp/v2/posts')).toEqual(['one', 'three', 'two']);
    expect(titles('/wp/v2/pages')).toEqual(['About']);
    expect(titles('/wp/v2/media')).toEqual(['Chart']);
    expect(found['/wp/v2/categories']).toHaveLength(2);
    expect(found['/wp/v2/tags']).toHaveLength(1);
    expect(found['/wp/v2/users']).toEqual([expect.objectContaining({ name: 'ada' })]);
    expect(found['/wp/v2/taxonomies']).toEqual([expect.objectContaining({ category: expect.anything() })]);
    expect(Object.entries(found).filter(([, list]) => typeof list === 'number')).toEqual([
      ['/pum/v1/analytics', 400],
      ['/wp/v2/users/me', 401],
      // WordPress lets only moderators name a status of comments, in all versions.
      ...(status === '' ? [['/wp/v2/comments', 401]] : []),
      ['/wp/v2/settings', 401],
    ]);
  });
});
