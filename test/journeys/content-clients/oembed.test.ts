import { beforeAll, describe, expect, test } from 'vitest';

import { eventCounts } from '../../../content/models/event-count.ts';

import { type Asker, SITE, useContentHost } from '../../hosts/content-host.ts';
import { testService } from '../../services/database.ts';

const host = useContentHost();
const items: Record<string, { id: number; link: string }> = {};

beforeAll(async () => {
  const add = async (name: string, path: string, json: object) => {
    items[name] = (await host.call('administrator', 'POST', `/wp/v2/${path}`, { json })).json();
  };
  await add('post', 'posts', { title: 'Vans & "trucks"', status: 'publish' });
  await add('locked', 'posts', { title: 'Locked', status: 'publish', password: 'secret' });
  await add('draft', 'posts', { title: 'Draft' });
  await add('hidden', 'posts', { title: 'Hidden', status: 'private' });
  await add('page', 'pages', { title: 'About', status: 'publish' });
  await add('below', 'pages', { title: 'Team', status: 'publish', parent: items.page?.id });
});

const embed = (url: string, more = '', asker: Asker = 'anonymous') =>
  host.call(asker, 'GET', `/oembed/1.0/embed?url=${encodeURIComponent(url)}${more}`);
const linkOf = (name: string) => items[name]?.link ?? '';

describe('an embed of this website', () => {
  test('names the site, the author and the frame', async () => {
    const link = linkOf('post');
    const answer = (await embed(link)).json();
    expect(answer).toMatchObject({
      version: '1.0',
      provider_name: 'Developer Site',
      provider_url: SITE,
      author_name: 'administrator',
      author_url: `${SITE}/author/administrator/`,
      title: 'Vans & "trucks"',
      type: 'rich',
      width: 600,
      height: 338,
    });
    expect(answer.html).toMatch(
      new RegExp(`^<blockquote class="wp-embedded-content"><a href="${link}">Vans &#038; &#8220;trucks&#8221;</a>`),
    );
    expect(answer.html).toContain(
      `<iframe sandbox="allow-scripts" security="restricted" src="${link}embed/" width="600"`,
    );
  });

  test.each([
    ['100', 200, 200],
    ['400', 400, 225],
    ['5000', 600, 338],
    ['-300', 300, 200],
    ['abc', 200, 200],
  ])('is for a maxwidth of %s a frame of %i by %i', async (maxwidth, width, height) => {
    expect((await embed(linkOf('page'), `&maxwidth=${maxwidth}`)).json()).toMatchObject({ width, height });
  });

  test('is found by every address that leads to it', async () => {
    const { id } = items.post ?? {};
    const link = linkOf('post');
    for (const url of [
      `${SITE}/?p=${id}`,
      `${link}?utm=1#top`,
      link.replace(/\/$/, ''),
      `${link}embed/`,
      `${link}2/`,
    ]) {
      expect((await embed(url)).json().title, url).toBe('Vans & "trucks"');
    }
    expect((await embed(linkOf('below'))).json().title).toBe('Team');
  });

  test('says that a password protects it, and nothing of what it protects', async () => {
    const { title, html } = (await embed(linkOf('locked'))).json();
    expect(title).toBe('Locked');
    expect(html).toContain('>Protected: Locked</a>');
  });

  test.each([
    ['', 'anonymous'],
    ['notaurl', 'anonymous'],
    [`${SITE}/`, 'anonymous'],
    [`${SITE}/?p=9999`, 'anonymous'],
    [`${SITE}/team/`, 'anonymous'],
    [`${SITE}/category/uncategorized/`, 'anonymous'],
    ['https://elsewhere.example/about/', 'anonymous'],
    ['draft', 'administrator'],
    ['hidden', 'administrator'],
  ] as [string, Asker][])('is none for %j, even to %s', async (url, asker) => {
    const answer = await embed(items[url]?.link ?? url, '', asker);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({ code: 'oembed_invalid_url', message: 'Not Found', data: { status: 404 } });
  });

  test('is XML where that is asked for', async () => {
    const answer = await embed(linkOf('post'), '&format=xml');
    expect(answer.headers['content-type']).toBe('text/xml; charset=UTF-8');
    expect(answer.headers.allow).toBe('GET');
    expect(answer.body).toMatch(/^<\?xml version="1.0"\?>\n<oembed><version>1.0<\/version>/);
    expect(answer.body).toContain('<title>Vans &amp; "trucks"</title>');
    expect((await embed(linkOf('post'), '&format=yaml')).headers['content-type']).toMatch(/^application\/json/);
  });

  test.each([
    [
      'an error',
      'url=x',
      404,
      '<code>oembed_invalid_url</code><message>Not Found</message><data><status>404</status></data>',
    ],
    ['a list in an error', '', 400, '<status>400</status><params><oembed>url</oembed></params>'],
    ['an envelope', 'url=x&_envelope', 200, '<status>404</status><headers><Allow>GET</Allow></headers></oembed>'],
  ])('writes %s as XML, too', async (_, query, status, part) => {
    const answer = await host.call('anonymous', 'GET', `/oembed/1.0/embed?format=xml&${query}`);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([status, 'text/xml; charset=UTF-8']);
    expect(answer.body).toContain(part);
  });

  test('writes the fields that are asked for as XML', async () => {
    const { body } = await embed(linkOf('post'), '&format=xml&_fields=version');
    expect(body).toBe('<?xml version="1.0"?>\n<oembed><version>1.0</version></oembed>\n');
  });
});

describe('the proxy', () => {
  const proxy = (asker: Asker, query: string) => host.call(asker, 'GET', `/oembed/1.0/proxy?${query}`);
  const own = () => `url=${encodeURIComponent(linkOf('page'))}`;

  test.each([
    ['anonymous', 401],
    ['subscriber', 403],
  ] as [Asker, number][])('is not for %s', async (asker, status) => {
    const answer = await proxy(asker, own());
    expect([answer.statusCode, answer.json().code]).toEqual([status, 'rest_forbidden']);
  });

  test('answers for this website without asking anybody', async () => {
    expect((await proxy('contributor', own())).json()).toMatchObject({ title: 'About', provider_url: SITE });
  });

  test.each([
    'http://127.0.0.1:27017/',
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
    'https://[::1]/',
  ])('does not go to %s', async (url) => {
    const answer = await proxy('administrator', `url=${encodeURIComponent(url)}`);
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'oembed_invalid_url']);
  });
});

describe('analytics', () => {
  const count = (query: string) => host.call('anonymous', 'GET', `/pum/v1/analytics?${query}`);

  test('count the known events of what is published', async () => {
    const id = items.post?.id;
    for (const query of [`event=open&pid=${id}`, `event=open&pid=-${id}x`, `event=conversion&pid=${id}`]) {
      const answer = await count(query);
      expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([204, 'image/gif', '']);
    }
    for (const query of [`event=close&pid=${id}`, `event=open&pid=${items.draft?.id}`, 'event=open&pid=999999']) {
      expect((await count(query)).statusCode).toBe(204);
    }
    expect(await eventCounts(testService)).toEqual([
      { item_id: id, event: 'conversion', count: 1 },
      { item_id: id, event: 'open', count: 2 },
    ]);
  });

  test.each([
    ['', 400, 'rest_missing_callback_param'],
    ['event=open', 400, 'rest_missing_callback_param'],
    ['event=open&pid=', 404, 'missing_params'],
    ['event=open&pid=0', 404, 'missing_params'],
    ['event=open&pid=abc', 404, 'missing_params'],
  ])('refuse ?%s by %i %s', async (query, status, code) => {
    const answer = await count(query);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });
});
