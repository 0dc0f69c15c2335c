import { beforeAll, expect, test } from 'vitest';

import { ContentItemStore } from '../../../content/models/content-item.ts';
import { importContent } from '../../../content/transfer/import-content.ts';
import { publishDueItems } from '../../../content/items/pending/pending-changes.ts';
import { resolveInstant } from '../../../content/access/site-time.ts';
import { type Asker, SITE, useContentHost } from '../../hosts/content-host.ts';
import { testService } from '../../services/database.ts';

const host = useContentHost();

const date = '2024-03-01T10:00:00';
const dates = { date, date_gmt: date, modified: date, modified_gmt: date };

beforeAll(async () => {
  const { body } = await host.call('author', 'GET', '/wp/v2/users/me');
  const { id: author } = JSON.parse(body) as { id: number };
  await importContent(
    testService,
    {
      posts: [{ ...dates, id: 101, slug: 'draft', status: 'draft', title: { raw: 'Not yet' }, author: 1 }],
      media: [
        {
          ...dates,
          id: 102,
          slug: 'map',
          status: 'inherit',
          title: { raw: 'Map' },
          author,
          post: 101,
          mime_type: 'image/png',
          source_url: `${SITE}/wp-content/uploads/map.png`,
        },
      ],
    },
    { replace: false, siteUrl: SITE },
  );
});

/** Fields of written items that these tests look at. */
interface Written {
  readonly id: number;
  readonly link: string;
}

/** @param path a list to add to, or one of its items to change */
async function written(path: string, json: unknown): Promise<Written> {
  const answer = await host.call('editor', 'POST', `/wp/v2/${path}`, { json });
  expect(answer.statusCode).toBeLessThan(300);
  return answer.json();
}

test.each(['posts', 'pages'] as const)(
  'an object without text empties the content and excerpt of %s, and leaves the title',
  async (kind) => {
    const { id } = await written(kind, { title: 'Stays', content: 'Goes', excerpt: 'Goes' });
    const none = { raw: '' };
    expect(await written(`${kind}/${id}`, { title: none, content: none, excerpt: none })).toMatchObject({
      title: { raw: 'Stays' },
      content: { raw: '' },
      excerpt: { raw: '' },
    });
  },
);

test.each<[string, object, object, string]>([
  ['posts', { slug: '0', status: 'publish' }, { slug: 'nothing' }, 'a slug of zero is none'],
  ['posts', { slug: '-0' }, { slug: '' }, 'and a draft may have none'],
  ['posts', { featured_media: -102 }, { featured_media: 102 }, 'signs of the featured image make no difference'],
  ['posts', { featured_media: 102 }, { featured_media: 102 }, 'nor does it matter who uploaded it'],
  ['posts', { tags: {} }, { tags: [] }, 'an object without members is an empty list'],
  ['posts', { title: { raw: 'Nothing' }, content: {} }, { content: { raw: '' } }, 'and gives no text'],
  ['pages', { template: '0' }, { template: '' }, 'a template of zero is none'],
])('%s with %j has %j: %s', async (kind, fields, expected) => {
  expect(await written(kind, { title: 'Nothing', ...fields })).toMatchObject(expected);
});

test.each([
  ['a title of 65,535 bytes', { title: 'x'.repeat(65_535) }],
  ['content of any length', { content: 'x'.repeat(65_536) }],
  ['a password of 255 letters', { password: 'ü'.repeat(255) }],
])('there is room for %s', async (_, fields) => {
  const { id } = await written('posts', { title: 'Long', ...fields });
  await written(`posts/${id}`, fields);
});

test.each([
  ['text', { title: '0', content: '0', excerpt: '0' }, 400, 'empty_content'],
  ['term', { title: 'x', categories: [0] }, 403, 'rest_cannot_assign_term'],
  ['term beside others', { title: 'x', tags: [1, 0] }, 403, 'rest_cannot_assign_term'],
] as const)('a post with the %s 0 is refused', async (_, json, status, code) => {
  const answer = await host.call('administrator', 'POST', '/wp/v2/posts', { json });
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
});

test('who may not assign the term 0 is told so by `Allow`, also where something else is invalid', async () => {
  const path = '/wp/v2/posts?title=x&template=missing.php';
  const allowed = async (more: string) => (await host.call('author', 'POST', path + more)).headers.allow;
  expect(await Promise.all([allowed(''), allowed('&categories=0')])).toEqual(['GET, POST', 'GET']);
});

test.each([
  ['a title of more than 65,535 bytes', { title: 'ü'.repeat(32_768) }],
  ['an excerpt of more than 65,535 bytes', { excerpt: 'x'.repeat(65_536) }],
  ['a password of more than 255 letters', { password: 'x'.repeat(256) }],
])('%s is not stored', async (_, json) => {
  const post = (path: string) => host.call('administrator', 'POST', path, { json: { content: 'x', ...json } });
  const inserted = await post('/wp/v2/posts');
  expect([inserted.statusCode, inserted.json()]).toEqual([
    500,
    { code: 'db_insert_error', message: 'Could not insert post into the database', data: { status: 500 } },
  ]);
  const { id } = await written('posts', { title: 'Stays' });
  const updated = await post(`/wp/v2/posts/${id}`);
  expect([updated.statusCode, updated.json().code]).toEqual([500, 'db_update_error']);
  expect(await written(`posts/${id}`, {})).toMatchObject({ title: { raw: 'Stays' }, content: { raw: '' } });
});

test('the number 0 is no password and no slug, and signs of terms make no difference', async () => {
  const { id } = (await host.call('editor', 'POST', '/wp/v2/tags', { json: { name: 'Signed' } })).json();
  const json = { title: 'Zero', status: 'publish', password: '0', slug: '0', tags: [-id, -9999] };
  expect(await written('posts', json)).toMatchObject({ slug: 'zero', content: { protected: false }, tags: [id] });
});

test.each<[Asker, number]>([
  ['anonymous', 401],
  ['subscriber', 403],
  ['contributor', 403],
  ['author', 200],
  ['editor', 200],
])('%s who asks for the upload of an author to the draft of another gets %i', async (asker, status) => {
  expect((await host.call(asker, 'GET', '/wp/v2/media/102')).statusCode).toBe(status);
});

test.each(['', 'text', 'json;charset=utf-8'])(
  'a body of the type "%s" is of none, so that nothing in it is read',
  async (type) => {
    const answer = await host.call('administrator', 'POST', '/wp/v2/tags', {
      headers: { 'content-type': type },
      bytes: Buffer.from('{"name":"Never"}'),
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'rest_missing_callback_param' });
  },
);

test.each([
  ['image/png', 33],
  ['application/json', 17],
  ['application/x-www-form-urlencoded', 17],
])('a body of the type %s of %i megabytes is refused in the words of the interface', async (type, megabytes) => {
  const answer = await host.call('administrator', 'POST', '/wp/v2/media', {
    headers: { 'content-type': type, 'content-length': String(megabytes * 1024 * 1024) },
    bytes: new Uint8Array(8),
  });
  expect(answer.statusCode).toBe(413);
  expect(answer.json()).toEqual({
    code: 'rest_invalid_request',
    message: 'The body is too large',
    data: { status: 413 },
  });
});

/** Statuses of the comments on a post, as their list by an editor tells. */
async function commentsOn(post: number, status: string): Promise<string[]> {
  const answer = await host.call(
    'editor',
    'GET',
    `/wp/v2/comments?context=edit&post=${post}&status=${status}&order=asc`,
  );
  return answer.json<{ status: string }[]>().map((comment) => comment.status);
}

test('comments go into the trash with their post, and come back with it as they were', async () => {
  const { id } = await written('posts', { title: 'Talked of', status: 'publish' });
  for (const status of ['approved', 'hold', 'spam']) {
    const json = { post: id, content: `It is ${status}`, status };
    expect((await host.call('editor', 'POST', '/wp/v2/comments', { json })).statusCode).toBe(201);
  }
  expect((await host.call('editor', 'DELETE', `/wp/v2/posts/${id}`)).statusCode).toBe(200);
  expect(await commentsOn(id, 'all')).toEqual([]);
  expect(await commentsOn(id, 'post-trashed')).toEqual(Array(3).fill('post-trashed'));
  await written(`posts/${id}`, { status: 'publish' });
  expect(await commentsOn(id, 'any')).toEqual(['approved', 'hold', 'spam']);
});

test('a draft that nobody has dated is dated when it is thrown away', async () => {
  await importContent(
    testService,
    { posts: [{ ...dates, date_gmt: null, id: 110, slug: '', status: 'draft', title: { raw: 'Old' }, author: 1 }] },
    { replace: false, siteUrl: SITE },
  );
  const answer = await host.call('editor', 'DELETE', '/wp/v2/posts/110');
  expect(answer.json()).toMatchObject({ status: 'trash', slug: '__trashed' });
  expect(answer.json<{ date: string }>().date > date).toBe(true);
});

test('a page below a draft without a slug has an address without it', async () => {
  const above = await written('pages', { title: 'Not yet' });
  const below = await written('pages', { title: 'Below', status: 'publish', parent: above.id });
  expect(below.link).toBe(`${SITE}/below/`);
});

test.each([
  ['2024-07-01T12:00:00', '2024-07-01T16:00:00'],
  ['2024-01-01T12:00:00', '2024-01-01T17:00:00'],
  ['2024-03-10T02:30:00', '2024-03-10T07:30:00'],
  ['2024-03-10T03:00:00', '2024-03-10T07:00:00'],
  ['2024-11-03T01:30:00', '2024-11-03T05:30:00'],
  ['2024-11-03T02:00:00', '2024-11-03T07:00:00'],
])('by the clock of New York, %s is %s in GMT', (local, gmt) => {
  expect(resolveInstant(local, 'local', 'America/New_York')).toEqual({ local, gmt });
});

test('what was scheduled is published when its time has come, and counts in its terms', async () => {
  const tag = await written('tags', { name: 'Timely' });
  const soon = { title: 'Soon', status: 'publish', date_gmt: '2099-01-01T00:00:00', tags: [tag.id] };
  const { id } = await written('posts', soon);
  await publishDueItems(testService);
  expect((await host.call('anonymous', 'GET', `/wp/v2/posts/${id}`)).statusCode).toBe(401);
  await ContentItemStore.updateOne(testService, { id }, { $set: { date_gmt: '2024-01-01T00:00:00' } });
  await publishDueItems(testService);
  const answer = await host.call('anonymous', 'GET', `/wp/v2/posts/${id}`);
  expect(answer.json()).toMatchObject({ status: 'publish' });
  expect((await host.call('anonymous', 'GET', `/wp/v2/tags/${tag.id}`)).json()).toMatchObject({ count: 1 });
});
