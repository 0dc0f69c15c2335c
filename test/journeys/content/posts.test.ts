import { beforeEach, describe, expect, test } from 'vitest';

import { ContentItemStore } from '../../../content/models/content-item.ts';

import { resetContent } from '../../services/reset-content.ts';
import { type Asker, SITE, useContentHost } from '../../hosts/content-host.ts';
import { testService } from '../../services/database.ts';

const host = useContentHost();

beforeEach(resetContent);

const get = (path: string, asker: Asker = 'anonymous') => host.call(asker, 'GET', `/wp/v2/${path}`);
const send = (path: string, json: unknown, asker: Asker = 'editor') =>
  host.call(asker, 'POST', `/wp/v2/${path}`, { json });
const remove = (path: string, asker: Asker = 'editor') => host.call(asker, 'DELETE', `/wp/v2/${path}`);
const published = (title: string, more: object = {}, asker: Asker = 'editor') =>
  send('posts', { title, status: 'publish', date: '2024-05-01T10:00:00', ...more }, asker).then((answer) =>
    answer.json(),
  );
const idsOf = async (path: string, asker: Asker = 'anonymous') =>
  (await get(path, asker)).json().map(({ id }: { id: number }) => id);

describe('a post', () => {
  test('is created with a number, an address, the default category and what its author may do', async () => {
    const answer = await send('posts', { title: 'Über "Trips"', status: 'publish', date: '2024-05-01T10:00:00' });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers.location).toBe(`${SITE}/wp-json/wp/v2/posts/1`);
    expect(answer.json()).toMatchObject({
      id: 1,
      slug: 'uber-trips',
      link: `${SITE}/2024/05/01/uber-trips/`,
      title: { raw: 'Über "Trips"', rendered: 'Über &#8220;Trips&#8221;' },
      categories: [1],
      modified: '2024-05-01T10:00:00',
    });
    expect(Object.keys(answer.json()._links)).toContain('wp:action-publish');
  });

  test.each([
    ['nothing', {}, 400, 'empty_content'],
    ['an empty title', { title: '' }, 400, 'empty_content'],
    ['a title that is no text', { title: 5 }, 400, 'empty_content'],
    ['an unknown status', { title: 'x', status: 'bogus' }, 400, 'rest_invalid_param'],
    ['an author who does not exist', { title: 'x', author: 99 }, 400, 'rest_invalid_author'],
    ['a password on what is sticky', { title: 'x', password: 'p', sticky: true }, 400, 'rest_invalid_field'],
    ['an id', { title: 'x', id: 5 }, 400, 'rest_post_exists'],
    ['an unknown template', { title: 'x', template: 'y.php' }, 400, 'rest_invalid_param'],
  ])('cannot be made of %s', async (_what, json, status, code) => {
    const answer = await send('posts', json);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    expect(await ContentItemStore.countDocuments(testService)).toBe(0);
  });

  test.each([
    ['anonymous', {}, 401, 'rest_cannot_create'],
    ['subscriber', {}, 403, 'rest_cannot_create'],
    ['contributor', { status: 'publish' }, 403, 'rest_cannot_publish'],
    ['contributor', { sticky: true }, 403, 'rest_cannot_assign_sticky'],
    ['author', { author: 1 }, 403, 'rest_cannot_edit_others'],
    ['author', { status: 'private' }, 201, undefined],
  ] as const)('of %s with %j is answered %i', async (asker, more, status, code) => {
    const answer = await send('posts', { title: 'x', ...more }, asker);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });

  test('of the future is scheduled, and one scheduled for the past is published', async () => {
    const future = await published('Later', { date: '2090-01-01T00:00:00' });
    const past = await published('Sooner', { status: 'future' });
    expect([future.status, future.link, past.status]).toEqual(['future', `${SITE}/?p=1`, 'publish']);
  });

  test('has a slug that no other post has', async () => {
    const slugs = [await published('Same'), await published('Same'), await published('Same')].map(({ slug }) => slug);
    expect(slugs).toEqual(['same', 'same-2', 'same-3']);
  });

  test('without a title has its number for a slug', async () => {
    expect((await published('', { content: 'Text' })).slug).toBe('1');
  });

  test('drops terms and pictures that do not exist', async () => {
    const post = await published('Terms', { categories: [2, 3, 99], tags: [3, 2], featured_media: 77 });
    expect([post.categories, post.tags, post.featured_media]).toEqual([[2], [3], 0]);
    expect((await get('categories/2')).json().count).toBe(1);
  });

  test('of somebody without unfiltered HTML is cleaned', async () => {
    const post = await published('x', { content: '<script>alert(1)</script><b onclick="y()">b</b>' }, 'author');
    expect(post.content.raw).toBe('alert(1)<b>b</b>');
  });

  test.each([
    ['changes anything of it', { comment_status: 'closed' }, 'POST'],
    ['throws it away', undefined, 'DELETE'],
  ])('is cleaned of what somebody may not write who %s', async (_, json, method) => {
    const { id } = await published('<b onclick="x()">x</b>', {
      content: '<script>x</script>',
      excerpt: '<i id="x">x</i>',
    });
    await send(`posts/${id}`, { author: 3 });
    const answer = await host.call('author', method, `/wp/v2/posts/${id}`, { json });
    expect(answer.json()).toMatchObject({
      title: { raw: '<b>x</b>' },
      content: { raw: 'x' },
      excerpt: { raw: expect.not.stringContaining('script') },
    });
    expect((await get(`posts/${id}?context=edit`, 'editor')).json().content.raw).toBe('x');
  });

  test('is no longer sticky once it is thrown away', async () => {
    const { id } = await published('Sticky', { sticky: true });
    expect((await remove(`posts/${id}`)).json().sticky).toBe(false);
    expect((await send(`posts/${id}`, { status: 'publish' })).json().sticky).toBe(false);
  });

  test('keeps what it was as revisions, for those who may change it', async () => {
    const { id } = await published('One');
    await send(`posts/${id}`, { title: 'Two' });
    await send(`posts/${id}`, { title: 'Two' });
    await send(`posts/${id}`, { title: 'Three' });
    const revisions = (await get(`posts/${id}/revisions`, 'editor')).json();
    expect(revisions.map(({ title }: { title: { rendered: string } }) => title.rendered)).toEqual([
      'Three',
      'Two',
      'One',
    ]);
    expect((await get(`posts/${id}/revisions`)).json().code).toBe('rest_cannot_read');
    const [{ id: last }] = revisions;
    expect((await remove(`posts/${id}/revisions/${last}`)).json().code).toBe('rest_trash_not_supported');
    expect((await remove(`posts/${id}/revisions/${last}?force=true`)).json()).toMatchObject({ deleted: true });
    expect((await get(`posts/${id}/revisions/${last}`, 'editor')).json().code).toBe('rest_post_invalid_id');
  });

  test('goes to the trash, comes back, and is deleted', async () => {
    const { id } = await published('Gone', { categories: [2] });
    expect((await remove(`posts/${id}`)).json()).toMatchObject({ status: 'trash', slug: 'gone__trashed' });
    expect((await get('categories/2')).json().count).toBe(0);
    expect((await remove(`posts/${id}`)).statusCode).toBe(410);
    expect((await get(`posts/${id}`)).statusCode).toBe(401);
    expect((await send(`posts/${id}`, { status: 'publish' })).json()).toMatchObject({
      status: 'publish',
      slug: 'gone',
    });
    expect((await remove(`posts/${id}?force=true`)).json()).toMatchObject({ deleted: true, previous: { id } });
    expect((await get(`posts/${id}`)).json().code).toBe('rest_post_invalid_id');
  });

  test('with a password shows its text to whoever gives it, and to nobody else', async () => {
    const { id } = await published('Secret', { content: 'Hidden words', password: 'open' });
    const textOf = async (query: string, asker?: Asker) =>
      (await get(`posts/${id}${query}`, asker)).json().content?.rendered;
    expect(await textOf('')).toBe('');
    expect(await textOf('', 'editor')).toBe('');
    expect(await textOf('?password=open')).toBe('<p>Hidden words</p>\n');
    expect((await get(`posts/${id}?password=wrong`)).json().code).toBe('rest_post_incorrect_password');
    expect(await idsOf('posts?search=Hidden')).toEqual([]);
  });
});

describe('a list', () => {
  test.each([
    ['posts?status=draft', 'anonymous', 400],
    ['posts?context=edit', 'anonymous', 401],
    ['posts?context=edit', 'contributor', 200],
    ['posts?orderby=include', 'anonymous', 400],
    ['posts?orderby=relevance', 'anonymous', 400],
    ['posts?per_page=101', 'anonymous', 400],
  ] as const)('%s of %s is answered %i', async (path, asker, status) => {
    expect((await get(path, asker)).statusCode).toBe(status);
  });

  test('shows of what is not published only what its reader may read', async () => {
    const own = (await send('posts', { title: 'own' }, 'contributor')).json();
    await send('posts', { title: 'other' });
    expect(await idsOf('posts?status=draft', 'contributor')).toEqual([own.id]);
    expect(await idsOf('posts?status=draft', 'editor')).toHaveLength(2);
  });

  test('filters, orders and counts', async () => {
    const first = await published('Apple pie', { sticky: true, categories: [2], date: '2024-01-01T00:00:00' });
    const second = await published('banana', { content: 'apple', tags: [3], date: '2024-02-01T00:00:00' });
    const third = await published('Cherry', { date: '2024-03-01T00:00:00' }, 'author');
    const lists: [string, number[]][] = [
      ['posts', [third.id, second.id, first.id]],
      ['posts?order=asc&per_page=2', [first.id, second.id]],
      ['posts?orderby=title&order=asc', [first.id, second.id, third.id]],
      [`posts?include=${third.id},${first.id}&orderby=include`, [third.id, first.id]],
      [`posts?include=${first.id}&exclude=${first.id}`, [first.id]],
      ['posts?sticky=true', [first.id]],
      ['posts?categories=2', [first.id]],
      ['posts?tags_exclude=3', [third.id, first.id]],
      ['posts?search=apple', [second.id, first.id]],
      ['posts?search=apple&orderby=relevance', [first.id, second.id]],
      [`posts?author=${third.author}`, [third.id]],
      ['posts?after=2024-01-15T00:00:00&before=2024-02-15T00:00:00', [second.id]],
      ['posts?slug=cherry,banana', [third.id, second.id]],
      ['posts?offset=1', [second.id, first.id]],
    ];
    for (const [path, ids] of lists) expect(await idsOf(path), path).toEqual(ids);
    const page = await get('posts?per_page=1&page=2');
    expect(page.headers).toMatchObject({ 'x-wp-total': '3', 'x-wp-totalpages': '3' });
    expect(page.headers.link).toBe(
      `<${SITE}/wp-json/wp/v2/posts?per_page=1&page=1>; rel="prev", <${SITE}/wp-json/wp/v2/posts?per_page=1&page=3>; rel="next"`,
    );
    expect((await get('posts?page=9')).json().code).toBe('rest_post_invalid_page_number');
  });
});

describe('a page', () => {
  test('may be empty, stands below another, and has its path for an address', async () => {
    const top = (await send('pages', { title: 'About', status: 'publish' })).json();
    const below = (await send('pages', { title: 'Team', status: 'publish', parent: top.id, menu_order: 3 })).json();
    expect((await send('pages', {})).statusCode).toBe(201);
    expect(below.link).toBe(`${SITE}/about/team/`);
    expect(await idsOf(`pages?parent=${top.id}`)).toEqual([below.id]);
    expect(await idsOf('pages?menu_order=3')).toEqual([below.id]);
    expect((await send(`pages/${top.id}`, { parent: below.id })).json().parent).toBe(0);
    await remove(`pages/${top.id}?force=true`);
    expect((await get(`pages/${below.id}`)).json()).toMatchObject({ parent: 0, link: `${SITE}/team/` });
  });

  test.each(['api', 'blog', 'graphql', 'oauth', 'wp-json'])(
    'has no address /%s/, which is the service’s',
    async (slug) => {
      const top = (await send('pages', { title: slug, status: 'publish' })).json();
      expect(top.slug).toBe(`${slug}-2`);
      const below = (await send('pages', { title: slug, status: 'publish', parent: top.id })).json();
      expect(below.slug).toBe(slug);
      expect((await published(slug)).slug).toBe(slug);
    },
  );

  test.each([
    ['0000-00-00T00:00:00', 400, 'invalid_date'],
    ['1970-01-01T00:00:00', 400, 'rest_invalid_param'],
    ['0001-01-01T00:00:00', 201, '0001-01-01T00:00:00'],
    ['2024-00-10T00:00:00', 201, '2023-12-10T00:00:00'],
  ])('of %s is answered by %i', async (date, status, said) => {
    const answer = await send('pages', { title: 'x', date });
    expect([answer.statusCode, answer.json().code ?? answer.json().date]).toEqual([status, said]);
    expect((await send('posts', { title: 'x', date_gmt: date })).statusCode).toBe(status);
  });

  test('is nothing that authors may make', async () => {
    expect((await send('pages', { title: 'x' }, 'author')).json().code).toBe('rest_cannot_create');
  });
});
