import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { ContentItemStore } from '../../../content/models/content-item.ts';
import { ContentSite } from '../../../content/site/content-site.ts';
import { addWebsiteUser } from '../../../content/users/manage-website-user.ts';
import { WebsiteUserStore } from '../../../content/models/website-user.ts';
import { contentEndpoint } from '../../../content/rest/content-endpoint.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { contentSiteEndpoint } from '../../../pages/endpoints/content-site-endpoint.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { openHost } from '../../hosts/open-host.ts';
import { queriesDuring } from '../../services/queries-during.ts';

useDatabase();

const CONFIG = readConfig({});
const POSTS = '/wp-json/wp/v2/posts';
const PAGE = '/2024/01/02/one/';

let app: FastifyInstance;
let authorization: string;

beforeAll(async () => {
  const site = new URL(CONFIG.siteUrl);
  app = await openHost([
    await contentEndpoint(testService, site),
    contentSiteEndpoint(testService, CONFIG, new ContentSite(testService, site)),
  ]);
  const { username, application_password } = await addWebsiteUser(
    testService,
    'ada',
    'ada@example.com',
    'administrator',
  );
  authorization = `Basic ${Buffer.from(`${username}:${application_password}`).toString('base64')}`;
  const date = '2024-01-02T03:04:05';
  await ContentItemStore.create(testService, {
    ...{ id: 1, type: 'post', status: 'publish', slug: 'one', title: 'One', title_folded: 'one', author: 1 },
    ...{ date, date_gmt: date, modified: date, modified_gmt: date, content: 'Text. '.repeat(600) },
  });
});
afterAll(() => app.close());

const get = (url: string, headers: Readonly<Record<string, string>> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers: { host: 'localhost', ...headers } } satisfies InjectOptions);

test.each([POSTS, `${POSTS}/1`, PAGE, '/feed.xml'])(
  'a client that has %s is answered 304 until something changes',
  async (url) => {
    const { headers } = await get(url);
    const condition = { 'if-none-match': String(headers.etag) };
    expect(await get(url, condition)).toMatchObject({ statusCode: 304, body: '' });
    await ContentItemStore.updateOne(
      testService,
      { id: 1 },
      { $set: { title: `Title of ${url}`, modified_gmt: '2025-01-01T00:00:00' } },
    );
    const changed = await get(url, condition);
    expect(changed.statusCode).toBe(200);
    expect(changed.headers.etag).not.toBe(headers.etag);
  },
);

test('caches may store what the interface answers to visitors, and must ask each time; nothing of users', async () => {
  expect((await get(POSTS)).headers).toMatchObject({
    'cache-control': 'no-cache',
    etag: expect.stringMatching(/^W\//),
  });
  const { headers } = await get(POSTS, { authorization });
  expect(headers['cache-control']).toBe('no-cache, must-revalidate, max-age=0');
  expect(headers.etag).toBeUndefined();
  expect((await get(`${POSTS}/99`)).headers.etag).toBeUndefined();
});

test.each([POSTS, PAGE, '/feed.xml'])('%s is the same in every encoding, computed or kept', async (url) => {
  const plain = await get(url);
  for (const decode of [gunzipSync, brotliDecompressSync, gunzipSync]) {
    const encoding = decode === gunzipSync ? 'gzip' : 'br';
    const answer = await get(url, { 'accept-encoding': encoding });
    expect(answer.headers).toMatchObject({ 'content-encoding': encoding, etag: plain.headers.etag });
    expect(String(answer.headers.vary)).toContain('accept-encoding');
    expect(decode(answer.rawPayload).toString()).toBe(plain.body);
  }
  expect((await get(url, {}, 'HEAD')).headers).toMatchObject({
    etag: plain.headers.etag,
    'content-length': String(plain.rawPayload.length),
  });
});

test.each([POSTS, `${POSTS}?_embed`, PAGE, '/feed.xml'])('%s is answered again after one look-up', async (url) => {
  await get(url);
  const queries = await queriesDuring(async () => {
    expect((await get(url)).statusCode).toBe(200);
  });
  expect(queries.map(({ collection, method }) => `${collection}.${method}`)).toEqual(['content_stamps.findOne']);
});

test('each answer with a page has a nonce of its own, and no other header differs', async () => {
  const [one, other] = [await get(PAGE), await get(PAGE)];
  const nonceOf = ({ headers }: typeof one) => /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1];
  expect(nonceOf(one)).not.toBe(nonceOf(other));
  const steady = ({ headers }: typeof one) => {
    const { date: _date, 'x-request-id': _id, 'content-security-policy': policy, ...others } = headers;
    return { ...others, policy: String(policy).replaceAll(/'nonce-[^']+'/g, '') };
  };
  expect(steady(other)).toEqual(steady(one));
});

test('an answer that is kept is allowed to the origin that asks, and to no other', async () => {
  const headersOf = async (origin: string) => (await get(POSTS, { origin })).headers;
  for (const origin of ['https://one.example', 'https://two.example']) {
    expect(await headersOf(origin)).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
  }
  expect((await get(POSTS)).headers['access-control-allow-origin']).toBeUndefined();
});

test('an answer is kept for the user who asked, as long as it has its roles', async () => {
  const {
    user_id: id,
    username,
    application_password,
  } = await addWebsiteUser(testService, 'eve', 'eve@example.com', 'editor');
  const headers = { authorization: `Basic ${Buffer.from(`${username}:${application_password}`).toString('base64')}` };
  const list = `${POSTS}?context=edit`;
  const first = await get(list, headers);
  const queries = await queriesDuring(async () => {
    const again = await get(list, headers);
    expect([again.body, again.headers.allow]).toEqual([first.body, first.headers.allow]);
    expect(again.headers).toMatchObject({ 'cache-control': 'no-cache, must-revalidate, max-age=0' });
  });
  expect(queries.map(({ collection }) => collection)).toEqual(['website_users', 'content_stamps']);
  expect((await get(list)).statusCode).toBe(401);
  expect((await get(list, { authorization })).json()).toHaveLength(1);
  // As a writer that has not moved the stamp yet.
  await WebsiteUserStore.driver(testService).updateOne({ id }, { $set: { roles: ['subscriber'] } });
  expect((await get(list, headers)).statusCode).toBe(403);
});
