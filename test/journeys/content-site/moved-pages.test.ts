import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { ContentItemStore } from '../../../content/models/content-item.ts';
import { exportContent } from '../../../content/transfer/export-content.ts';
import { importContent } from '../../../content/transfer/import-content.ts';
import { addWebsiteUser } from '../../../content/users/manage-website-user.ts';
import { testService, useDatabase } from '../../services/database.ts';

import { openSite, SITE, visitorOf } from './site-world.ts';

useDatabase();

let app: FastifyInstance;
let authorization: string;

beforeAll(async () => {
  app = await openSite();
  const { application_password } = await addWebsiteUser(testService, 'ed', 'ed@example.com', 'administrator');
  authorization = `Basic ${Buffer.from(`ed:${application_password}`).toString('base64')}`;
});
afterAll(async () => app.close());

const visit = (url: string) => visitorOf(app)(url);

async function write(path: string, payload: object, method: 'POST' | 'DELETE' = 'POST'): Promise<{ id: number }> {
  const answer = await visitorOf(app)(`/wp-json/wp/v2/${path}`, { method, headers: { authorization }, payload });
  expect(answer.statusCode).toBeLessThan(300);
  return answer.json();
}

async function expectRedirect(from: string, to: string): Promise<void> {
  const { statusCode, headers } = await visit(from);
  expect([from, statusCode, headers.location]).toEqual([from, 301, SITE + to]);
}

const shown = async (url: string) => (await visit(url)).statusCode;

test('a post is found at each of its former addresses, with its feed and its attachments', async () => {
  const fields = { title: 'Moving', slug: 'moving', date: '2024-05-01T10:00:00', status: 'publish' };
  const { id } = await write('posts', { ...fields, comment_status: 'open' });
  await write('media/9', { post: id });
  await expectRedirect('/diagram/', '/2024/05/01/moving/diagram/');
  await write(`posts/${id}`, { slug: 'moved' });
  await write(`posts/${id}`, { date: '2024-06-02T10:00:00' });
  await expectRedirect('/2024/05/01/moving/', '/2024/06/02/moved/');
  await expectRedirect('/2024/05/01/moved/?from=mail', '/2024/06/02/moved/?from=mail');
  await expectRedirect('/2024/05/01/moving/diagram/', '/2024/06/02/moved/diagram/');
  await expectRedirect('/2024/05/01/moving/feed/', '/2024/06/02/moved/feed/');
  await expectRedirect('/2024/05/01/moving/embed/', '/2024/06/02/moved/embed/');
  await write(`posts/${id}`, { slug: 'moving', date: '2024-05-01T10:00:00' });
  expect(await shown('/2024/05/01/moving/')).toBe(200);
  await expectRedirect('/2024/06/02/moved/', '/2024/05/01/moving/');
});

test('a page below others is found though it, or those above it, have moved, in any order', async () => {
  const page = async (slug: string, parent = 0) =>
    (await write('pages', { title: slug, slug, parent, status: 'publish' })).id;
  const [top, other] = [await page('top'), await page('other')];
  const middle = await page('middle', top);
  const leaf = await page('leaf', middle);
  await write(`pages/${leaf}`, { slug: 'leaflet' });
  await write(`pages/${middle}`, { parent: other });
  await write(`pages/${other}`, { slug: 'another' });
  await expectRedirect('/top/middle/', '/another/middle/');
  await expectRedirect('/top/middle/leaflet/', '/another/middle/leaflet/');
  await expectRedirect('/top/middle/leaf/', '/another/middle/leaflet/');
  await write(`pages/${middle}?force=true`, {}, 'DELETE');
  await expectRedirect('/another/middle/leaflet/', '/another/leaflet/');
});

test('an address that another item has taken leads there, and one of a hidden item nowhere', async () => {
  const post = (slug: string) => ({ title: slug, slug, date: '2024-07-01T10:00:00', status: 'publish' });
  const { id } = await write('posts', post('left'));
  await write(`posts/${id}`, { slug: 'gone-elsewhere' });
  await write('posts', post('left'));
  expect(await shown('/2024/07/01/left/')).toBe(200);
  await write(`posts/${id}`, { status: 'draft', slug: 'hidden-now' });
  expect(await shown('/2024/07/01/gone-elsewhere/')).toBe(404);
  await write(`posts/${id}`, { status: 'publish' });
  await expectRedirect('/2024/07/01/gone-elsewhere/', '/2024/07/01/hidden-now/');
});

test.each([
  ['/moving-date/', '/2024/08/01/moving-date/'],
  ['/blog/2024/moving-date/', '/2024/08/01/moving-date/'],
  ['/2024/08/01/moving-da/', '/2024/08/01/moving-date/'],
  ['/2024/09/01/moving-date/', null],
  ['/oving-date/', null],
  ['/secret-da/', null],
])('%s leads where WordPress guesses: %j', async (url, to) => {
  for (const [slug, status] of [
    ['moving-date', 'publish'],
    ['secret-date', 'private'],
  ]) {
    const found = await ContentItemStore.exists(testService, { slug: slug ?? '' });
    if (!found) await write('posts', { title: slug, slug, date: '2024-08-01T10:00:00', status });
  }
  if (to === null) expect(await shown(url)).toBe(404);
  else await expectRedirect(url, to);
});

test('a search lists the best match first, though others are newer', async () => {
  const post = (title: string, day: string, content: string) =>
    write('posts', { title, content, date: `2024-10-0${day}T10:00:00`, status: 'publish' });
  await post('The beacon', '1', 'Text.');
  await post('Newer', '2', 'About a beacon.');
  const { body } = await visit('/?s=beacon');
  expect([...body.matchAll(/<h2[^>]*><a[^>]*>([^<]*)/g)].map(([, title]) => title)).toEqual(['The beacon', 'Newer']);
});

test('former addresses are kept by an export and an import', async () => {
  const { id } = await write('posts', { title: 'x', slug: 'kept', date: '2024-09-09T10:00:00', status: 'publish' });
  await write(`posts/${id}`, { slug: 'keeps' });
  let text = '';
  for await (const piece of exportContent(testService, SITE)) text += piece;
  await importContent(testService, JSON.parse(text), { replace: true, siteUrl: SITE });
  await expectRedirect('/2024/09/09/kept/', '/2024/09/09/keeps/');
});
