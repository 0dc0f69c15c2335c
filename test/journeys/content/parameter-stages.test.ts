import { beforeEach, describe, expect, test } from 'vitest';

import { resetContent } from '../../services/reset-content.ts';
import { useContentHost } from '../../hosts/content-host.ts';

const host = useContentHost();

beforeEach(resetContent);

describe('parameters are checked in two stages', () => {
  test.each([
    [
      'what pages a list is checked before what orders it',
      'GET',
      '/wp/v2/posts?order=x&page=0&per_page=x',
      {},
      'page, per_page',
    ],
    [
      'the rest is named in the order of the request',
      'GET',
      '/wp/v2/posts?order=x&after=y&include=z',
      {},
      'order, after, include',
    ],
    ['JSON comes before the query', 'GET', '/wp/v2/tags?order=x', { hide_empty: 'x' }, 'hide_empty, order'],
    ['a context is checked before the id of the path', 'GET', '/wp/v2/posts/1?context=x', { id: 'x' }, 'context'],
    [
      'status and type of comments are checked first',
      'GET',
      '/wp/v2/comments?order=x&status[]=x&type[]=x',
      {},
      'status, type',
    ],
    ['fields are checked before the id of what they change', 'POST', '/wp/v2/posts/1', { id: 'x', slug: 5 }, 'slug'],
    ['the type of a login is checked first', 'POST', '/wp/v2/users/1', { username: 5, email: 'x' }, 'username, email'],
    ['the signs of a login are checked later', 'POST', '/wp/v2/users/1', { username: '<', email: 'x' }, 'email'],
    ['so is a password', 'POST', '/wp/v2/users/1', { password: '', id: 'x', username: '<' }, 'password, id, username'],
    [
      'the address of a commenter is checked late',
      'POST',
      '/wp/v2/comments',
      { author_email: 'x', author_ip: 'x' },
      'author_ip',
    ],
    [
      'null is nothing in the first stage, and a fault in the second',
      'GET',
      '/wp/v2/posts?order=asc',
      { page: null, order: null, include: null },
      'order, include',
    ],
    [
      'what JSON overrides is checked in the second stage',
      'GET',
      '/wp/v2/posts?order=x&per_page=x',
      { order: 'asc', per_page: 1 },
      'order',
    ],
    [
      'what a deletion says is named in the order of the request',
      'DELETE',
      '/wp/v2/users/1?reassign=x&force=x',
      {},
      'reassign, force',
    ],
    ['meta fields are an object', 'POST', '/wp/v2/tags/1', { meta: 'x' }, 'meta'],
    ['an event is a text', 'GET', '/pum/v1/analytics?event[]=open&pid=1', {}, 'event'],
  ] as const)('%s', async (_rule, method, path, json, names) => {
    const answer = await host.call('administrator', method, path, { json });
    expect(answer.json()).toMatchObject({ code: 'rest_invalid_param', message: `Invalid parameter(s): ${names}` });
    expect(Object.keys(answer.json().data.params).join(', ')).toBe(names);
  });

  test.each([
    ['a template that PHP takes for false is none', 'POST', '/wp/v2/pages', { template: 0 }, 201],
    ['media have no templates', 'POST', '/wp/v2/media/1', { template: 'templates/wide.php' }, 400],
    [
      'an address that PHP takes for false is none',
      'POST',
      '/wp/v2/comments',
      { author_email: false, author_name: 'x' },
      403,
    ],
    ['the width of an embed is cast', 'GET', '/oembed/1.0/proxy?url=x&maxwidth=abc&maxheight[]=1', {}, 404],
    ['the number of an item is cast', 'GET', '/pum/v1/analytics?event=open&pid[]=1', {}, 204],
  ] as const)('%s', async (_rule, method, path, json, status) => {
    expect((await host.call('administrator', method, path, { json })).statusCode).toBe(status);
  });

  test('media have no templates to name', async () => {
    const answer = await host.call('administrator', 'POST', '/wp/v2/media/1', { json: { template: 'x' } });
    expect(answer.json().data.params).toEqual({ template: 'template is not one of .' });
  });
});

describe('null empties what is written', () => {
  test.each([
    ['posts', { slug: 'a' }, { slug: null }, 'slug', 'p'],
    ['posts', { password: 'x' }, { password: null }, 'password', ''],
    ['posts', { tags: [3] }, { tags: null }, 'tags', []],
    ['posts', { sticky: true }, { sticky: null }, 'sticky', false],
    ['posts', { status: 'publish' }, { status: null }, 'status', 'draft'],
    ['pages', { menu_order: 3 }, { menu_order: null }, 'menu_order', 0],
    ['pages', { template: 'templates/wide.php' }, { template: null }, 'template', ''],
  ] as const)('of %s with %j, %j', async (list, fields, change, name, left) => {
    const json = { title: 'P', status: 'publish', ...fields };
    const made = await host.call('administrator', 'POST', `/wp/v2/${list}`, { json });
    expect(made.statusCode).toBe(201);
    const changed = await host.call('administrator', 'POST', `/wp/v2/${list}/${made.json().id}`, { json: change });
    expect(changed.json()[name]).toEqual(left);
  });

  test('of a term', async () => {
    await host.call('administrator', 'POST', '/wp/v2/tags/3', { json: { description: 'About' } });
    const changed = await host.call('administrator', 'POST', '/wp/v2/tags/3', { json: { description: null } });
    expect(changed.json().description).toBe('');
  });

  test.each([
    ['date', '2024-05-05T05:05:05'],
    ['format', 'aside'],
    ['comment_status', 'closed'],
    ['author', 2],
  ])('but leaves the %s', async (name, value) => {
    const json = { title: 'P', status: 'publish', [name]: value };
    const { id } = (await host.call('administrator', 'POST', '/wp/v2/posts', { json })).json();
    const changed = await host.call('administrator', 'POST', `/wp/v2/posts/${id}`, { json: { [name]: null } });
    expect(changed.json()[name]).toBe(value);
  });

  test('and is no login of a new user, nor an address', async () => {
    const answer = await host.call('administrator', 'POST', '/wp/v2/users', { json: { username: null, email: null } });
    expect(answer.json()).toMatchObject({ code: 'rest_missing_callback_param', data: { status: 400 } });
    expect(answer.json().data.params).toEqual(['username', 'email', 'password']);
  });
});

describe('methods are allowed for parameters as they came, where the first stage refuses one', () => {
  const allowOf = async (role: 'author' | 'administrator', method: string, path: string, json: object) => {
    const { statusCode, headers } = await host.call(role, method, path, { json });
    return { statusCode, allow: headers.allow };
  };

  test.each([
    ['an author who is a number is oneself', { author: 3, slug: [] }, 'GET, POST'],
    ['an author who is a text is somebody else', { author: '3', slug: [] }, 'GET'],
    ['an empty term cannot be given', { tags: [''] }, 'GET'],
    ['nor can null', { tags: { raw: null } }, 'GET'],
    ['a faulty term can', { tags: ['x'] }, 'GET, POST'],
  ])('%s', async (_, json, allow) => {
    expect(await allowOf('author', 'POST', '/wp/v2/posts', json)).toEqual({ statusCode: 400, allow });
  });

  test('what the path names stays what it is', async () => {
    const answer = await allowOf('author', 'GET', '/wp/v2/statuses/draft?context=x', {});
    expect(answer).toEqual({ statusCode: 400, allow: 'GET' });
  });
});
