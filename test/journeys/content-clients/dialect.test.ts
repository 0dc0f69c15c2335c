import { beforeEach, describe, expect, test } from 'vitest';

import { resetContent } from '../../services/reset-content.ts';
import { type Asker, useContentHost } from '../../hosts/content-host.ts';

const host = useContentHost();

beforeEach(resetContent);

const get = (path: string, asker: Asker = 'anonymous') => host.call(asker, 'GET', `/wp/v2/${path}`);
const send = (path: string, json: unknown, asker: Asker = 'editor') =>
  host.call(asker, 'POST', `/wp/v2/${path}`, { json });
const published = (title: string, more: object = {}, asker: Asker = 'editor') =>
  send('posts', { title, status: 'publish', date: '2024-05-01T10:00:00', ...more }, asker).then((answer) =>
    answer.json(),
  );

/** A route as the index of the interface describes it. */
interface Described {
  readonly endpoints: readonly { readonly methods: readonly string[]; readonly args: object }[];
}

describe('a request', () => {
  test.each([
    ['letter case of a path makes no difference', 'GET', '/WP/v2/Posts', {}, 200, undefined],
    ['a method that a path has not is no route', 'PUT', '/wp/v2/posts', {}, 404, 'rest_no_route'],
    ['_method takes the place of the method', 'POST', '/wp/v2/posts?_method=GET', {}, 200, undefined],
    [
      'a header takes the place of the method',
      'POST',
      '/wp/v2/posts',
      { headers: { 'x-http-method-override': 'GET' } },
      200,
      undefined,
    ],
    [
      'JSON that cannot be read is refused whatever the method',
      'POST',
      '/wp/v2/posts?_method=GET',
      { headers: { 'content-type': 'application/json' }, bytes: Buffer.from('{bad') },
      400,
      'rest_invalid_json',
    ],
    [
      'half a character is none, as in PHP',
      'POST',
      '/wp/v2/posts',
      { headers: { 'content-type': 'application/json' }, bytes: Buffer.from('{"title":"\\ud83d x"}') },
      400,
      'rest_invalid_json',
    ],
    [
      'JSON is nested 512 deep at most, as in PHP',
      'POST',
      '/wp/v2/posts',
      { headers: { 'content-type': 'application/json' }, bytes: Buffer.from('['.repeat(2 ** 18)) },
      400,
      'rest_invalid_json',
    ],
    [
      'a nonce proves nothing',
      'GET',
      '/wp/v2/posts',
      { headers: { 'x-wp-nonce': 'x' } },
      403,
      'rest_cookie_invalid_nonce',
    ],
    [
      'wrong credentials are ignored',
      'GET',
      '/wp/v2/posts',
      { headers: { authorization: 'Basic eDp5' } },
      200,
      undefined,
    ],
  ] as const)('%s', async (_rule, method, path, call, status, code) => {
    const answer = await host.call('anonymous', method, path, call);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  test.each(['_method', '_wpnonce', '_fields', '_fields[]', '_jsonp', '_embed', '_envelope', 'rest_route', 'x'])(
    'members in place of the text of %s are a text like any other',
    async (name) => {
      for (const path of ['/wp/v2/posts', '/', '/oembed/1.0']) {
        expect((await host.call('anonymous', 'GET', `${path}?${name}[a]=1`)).statusCode).toBeLessThan(500);
      }
    },
  );

  test('members in place of any parameter of any route are refused or read, by query and by JSON', async () => {
    const { routes } = (await host.call('anonymous', 'GET', '/')).json();
    const faults: string[] = [];
    for (const [pattern, { endpoints }] of Object.entries<Described>(routes)) {
      const path = pattern.replace(/\(\?P<\w+>.*?\)(?=\/|$)/g, '1');
      for (const { methods, args } of endpoints) {
        // The own account goes on to ask.
        if (methods.includes('DELETE')) continue;
        for (const name of Object.keys(args)) {
          const call = methods.includes('GET')
            ? host.call('administrator', 'GET', `${path}?${name}[toString]=1&${name}[a][b]=2`)
            : host.call('administrator', 'POST', path, { json: { [name]: { toString: 1, a: [{ valueOf: 1 }] } } });
          const { statusCode } = await call;
          if (statusCode >= 500) faults.push(`${methods[0]} ${path} ${name}: ${statusCode}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  test('a JSON id overrides that of the path', async () => {
    const first = await published('First');
    const second = await published('Second');
    await send(`posts/${first.id}`, { id: second.id, title: 'Changed' });
    expect((await get(`posts/${first.id}`)).json().title.rendered).toBe('First');
    expect((await get(`posts/${second.id}`)).json().title.rendered).toBe('Changed');
  });

  test('forms are read as JSON is', async () => {
    const bytes = Buffer.from('title=Form&status=publish&categories[]=2');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await host.call('editor', 'POST', '/wp/v2/posts', { headers, bytes });
    expect(answer.json()).toMatchObject({ title: { raw: 'Form' }, categories: [2] });
  });

  test('Allow names what this caller may do', async () => {
    const { id } = await published('x');
    expect((await get(`posts/${id}`)).headers.allow).toBe('GET');
    expect((await get(`posts/${id}`, 'editor')).headers.allow).toBe('GET, POST, PUT, PATCH, DELETE');
    expect((await get('posts', 'contributor')).headers.allow).toBe('GET, POST');
    const bytes = Buffer.from('{');
    const headers = { 'content-type': 'application/json' };
    const unread = await host.call('author', 'POST', `/wp/v2/posts/${id}`, { headers, bytes });
    expect([unread.json().code, unread.headers.allow]).toEqual(['rest_invalid_json', 'GET']);
    const cast = await send(`posts/${id}`, { id: 'x' });
    expect([cast.json().code, cast.headers.allow]).toEqual(['rest_invalid_param', undefined]);
    const ofPost = await get(`tags?hide_empty=x&post=${id}x`, 'editor');
    expect([ofPost.json().code, ofPost.headers.allow]).toEqual(['rest_invalid_param', 'GET, POST']);
  });

  test.each(['/', '/wp/v2'])(
    'the index %s describes what its paths answer with to whoever needs help',
    async (path) => {
      const routesOf = async (query: string) => (await host.call('anonymous', 'GET', path + query)).json().routes;
      const described = (await host.call('anonymous', 'OPTIONS', '/wp/v2/posts')).json().schema;
      expect((await routesOf('?context=help'))['/wp/v2/posts'].schema).toEqual(described);
      expect((await routesOf(''))['/wp/v2/posts']).not.toHaveProperty('schema');
    },
  );

  test('revisions are described as what they are of, which a password may protect', async () => {
    const described = (await host.call('anonymous', 'OPTIONS', '/wp/v2/posts/1/revisions')).json().schema.properties;
    for (const part of ['content', 'excerpt']) {
      expect(described[part].properties.protected).toMatchObject({ type: 'boolean', readonly: true });
    }
  });

  test('_fields counts wherever parameters stand', async () => {
    const { id } = await published('x');
    const body = (await send(`posts/${id}`, { title: 'Other', _fields: 'title' })).json();
    expect(Object.keys(body)).toEqual(['title', '_links']);
    const listed = await host.call('anonymous', 'GET', '/wp/v2/posts?_fields=id', { json: { _fields: ['slug'] } });
    expect(listed.json()).toEqual([{ slug: 'x' }]);
    expect((await get('posts?_fields[a]=id')).json()).toEqual([{ id }]);
  });

  test.each([
    ['id,title.rendered', { title: { rendered: 'x' } }],
    ['id,title.rendered,title', { title: { rendered: 'x', raw: 'x' } }],
    ['id,title.none', { title: [] }],
    ['id,id.part,slug.part', { slug: 'x' }],
    ['id,_links.self', { _links: { self: [{ href: expect.stringContaining('/wp/v2/posts/') }] } }],
  ])('_fields=%s keeps the named parts of members', async (fields, members) => {
    const { id } = await published('x');
    expect((await get(`posts?context=edit&_fields=${fields}`, 'editor')).json()).toEqual([{ id, ...members }]);
  });

  test('any origin may read, and never with credentials', async () => {
    const { headers } = await host.call('anonymous', 'GET', '/wp/v2/posts', {
      headers: { origin: 'https://x.example' },
    });
    expect(headers['access-control-allow-origin']).toBe('https://x.example');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  test.each(['OPTIONS /wp/v2/posts', 'OPTIONS /wp/v2/tags/3', 'GET /', 'GET /wp/v2'])(
    '_embed finds nothing to embed in the description %s',
    async (described) => {
      const [method = '', path = ''] = described.split(' ');
      const [plain, embedding] = await Promise.all(
        ['', '?_embed'].map((query) => host.call('anonymous', method, path + query)),
      );
      expect(embedding?.statusCode).toBe(200);
      expect(embedding?.json()).toEqual(plain?.json());
    },
  );

  test('_fields, _envelope, _jsonp and _embed shape the answer', async () => {
    const { id } = await published('x', { categories: [2] });
    expect((await get('posts?_fields=id')).json()).toEqual([{ id }]);
    expect(Object.keys((await get(`posts/${id}?_fields=id`)).json())).toEqual(['id', '_links']);
    expect((await get('posts?_envelope&_fields=id')).json()).toEqual({
      body: [{ id }],
      status: 200,
      headers: { 'X-WP-Total': 1, 'X-WP-TotalPages': 1, Allow: 'GET' },
    });
    expect((await get('posts?_jsonp=cb&_fields=id')).body).toBe(`/**/cb([{"id":${id}}])`);
    expect((await get('posts?_jsonp=alert(1)')).json().code).toBe('rest_callback_invalid');
    const embedded = (await get(`posts/${id}?_embed`)).json()._embedded;
    expect(embedded['wp:term'][0][0]).toMatchObject({ id: 2, name: 'News' });
    expect(embedded).not.toHaveProperty('replies');
  });

  test.each([
    ['_jsonp=', 200, 'application/json', '[]'],
    ['_jsonp=a.b', 200, 'application/javascript', '/**/a.b([])'],
    ['_jsonp=a-b', 400, 'application/javascript', undefined],
    ['_jsonp[]=a', 400, 'application/javascript', undefined],
    ['_method=HEAD', 200, 'application/json', ''],
    ['_method=head', 200, 'application/json', ''],
  ])('posts?%s answers %i as %s with %j', async (query, status, type, body) => {
    const answer = await get(`posts?${query}`);
    expect([answer.statusCode, String(answer.headers['content-type']).split(';')[0]]).toEqual([status, type]);
    if (body !== undefined) expect(answer.body).toBe(body);
  });

  test.each([
    ['posts', 'status, author, comment_status, format, meta, sticky, template, categories'],
    ['pages', 'status, parent, author, featured_media, ping_status, menu_order, meta, template'],
    ['media', 'status, author, comment_status, ping_status, meta, template, post'],
  ])('faults of written %s are named in the order of the index: %s', async (path, names) => {
    const json = Object.fromEntries(
      names
        .split(', ')
        .toReversed()
        .map((name) => [name, 'x']),
    );
    const answer = await send(path, json, 'administrator');
    expect(answer.json().message).toBe(`Invalid parameter(s): ${names}`);
  });

  test.each(['', '0', 'post'])('taxonomies?type=%s lists the taxonomies of posts', async (type) => {
    expect(Object.keys((await get(`taxonomies?type=${type}`)).json())).toEqual(['category', 'post_tag']);
  });

  test.each(['media', 'posts', 'posts/1', 'settings', 'comments'])(
    'OPTIONS describes %s, whatever its body is',
    async (path) => {
      const headers = { 'content-type': 'application/json' };
      const described = await host.call('anonymous', 'OPTIONS', `/wp/v2/${path}`);
      for (const text of ['{bad', '[1', '\u0000', '{"author":{"$ne":null}}']) {
        const answer = await host.call('anonymous', 'OPTIONS', `/wp/v2/${path}`, { headers, bytes: Buffer.from(text) });
        expect([answer.statusCode, answer.body]).toEqual([200, described.body]);
      }
    },
  );

  test('OPTIONS describes the path and its objects, the index every path', async () => {
    const options = (await host.call('anonymous', 'OPTIONS', '/wp/v2/posts')).json();
    expect(options).toMatchObject({ namespace: 'wp/v2', methods: ['GET', 'POST'], schema: { title: 'post' } });
    const index = (await host.call('anonymous', 'GET', '/')).json();
    expect(index.authentication).toEqual([]);
    expect(index.namespaces).toEqual(['oembed/1.0', 'pum/v1', 'wp/v2']);
    expect(Object.keys(index.routes)).toContain('/wp/v2/posts/(?P<parent>[\\d]+)/revisions/(?P<id>[\\d]+)');
  });

  test('OPTIONS describes revisions of each kind, with the formats of their dates', async () => {
    for (const [kind, title] of [
      ['posts', 'post-revision'],
      ['pages', 'page-revision'],
    ]) {
      const { schema } = (await host.call('anonymous', 'OPTIONS', `/wp/v2/${kind}/1/revisions`)).json();
      expect(schema.title).toBe(title);
      for (const name of ['date', 'date_gmt', 'modified', 'modified_gmt']) {
        expect(schema.properties[name].format).toBe('date-time');
      }
    }
  });

  test('OPTIONS names the contexts of statuses in the order of the reference', async () => {
    const { schema } = (await host.call('anonymous', 'OPTIONS', '/wp/v2/statuses')).json();
    expect(schema.properties.name.context).toEqual(['embed', 'view', 'edit']);
  });

  test('the interface answers where paths cannot be rewritten, too', async () => {
    const { id } = await published('x');
    for (const url of ['/?rest_route=/wp/v2/posts&_fields=id', '/index.php/wp-json/wp/v2/posts?_fields=id']) {
      expect((await host.app.inject({ url })).json()).toEqual([{ id }]);
    }
  });
});
