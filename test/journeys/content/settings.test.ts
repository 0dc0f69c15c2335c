import { beforeEach, describe, expect, test } from 'vitest';

import { DEFAULT_SETTINGS, clearSettingsCache } from '../../../content/models/site-settings.ts';

import { type Asker, SITE, useContentHost } from '../../hosts/content-host.ts';
import { testService } from '../../services/database.ts';

const PATH = '/wp/v2/settings';
const host = useContentHost();

beforeEach(() => clearSettingsCache(testService));

const read = async () => (await host.call('administrator', 'GET', PATH)).json();
const write = (json: unknown, method = 'POST') => host.call('administrator', method, PATH, { json });

describe('the settings of the website', () => {
  test('are those of the specification, its address and an e-mail address besides', async () => {
    const UNPUBLISHED = ['uploads_use_yearmonth_folders', 'image_sizes', 'show_on_front', 'page_on_front'];
    const published = Object.entries(DEFAULT_SETTINGS).filter(([name]) => !UNPUBLISHED.includes(name));
    expect(await read()).toEqual({ ...Object.fromEntries(published), url: SITE });
  });

  test.each([
    ['anonymous', 401],
    ['subscriber', 403],
    ['contributor', 403],
    ['author', 403],
    ['editor', 403],
  ] as [Asker, number][])('are neither shown to %s nor changed by them', async (asker, status) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH']) {
      const answer = await host.call(asker, method, PATH, method === 'GET' ? {} : { json: { title: 'x' } });
      expect(answer.statusCode).toBe(status);
      expect(answer.json()).toEqual({
        code: 'rest_forbidden',
        message: 'Sorry, you are not allowed to do that.',
        data: { status },
      });
      expect(answer.headers.allow).toBeUndefined();
    }
    expect(await read()).toMatchObject({ title: DEFAULT_SETTINGS.title });
  });

  test.each(['POST', 'PUT', 'PATCH'])('are changed by %s, others stay', async (method) => {
    const answer = await write({ title: 'Fleet', posts_per_page: 3 }, method);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers.allow).toBe('GET, POST, PUT, PATCH');
    const { title, description, posts_per_page } = await read();
    expect([title, description, posts_per_page]).toEqual(['Fleet', DEFAULT_SETTINGS.description, 3]);
  });
});

test.each([
  ['title', 'A <b>bold</b> & "quoted" title', 'A &lt;b&gt;bold&lt;/b&gt; &amp; &quot;quoted&quot; title'],
  ['title', 'An entity &amp; stays', 'An entity &amp; stays'],
  ['description', "It's", 'It&#039;s'],
  ['timezone', 'Europe/Berlin', 'Europe/Berlin'],
  ['timezone', 'Asia/Kolkata', 'Asia/Kolkata'],
  ['timezone', 'UTC', 'UTC'],
  ['timezone', 'UTC+2', ''],
  ['timezone', 'europe/berlin', ''],
  ['timezone', 'Nope/Zone', ''],
  ['timezone', '../../etc/passwd', ''],
  ['date_format', '<i>Y</i>-m-d', 'Y-m-d'],
  ['time_format', 'H:i', 'H:i'],
  ['time_format', 'H\0:i', 'H:i'],
  ['start_of_week', 9, 9],
  ['start_of_week', -3, 3],
  ['start_of_week', '2', 2],
  ['language', '', ''],
  ['language', 'de_DE', 'en_US'],
  ['use_smilies', false, false],
  ['use_smilies', 'false', false],
  ['use_smilies', 1, true],
  ['default_category', -4, 4],
  ['default_post_format', 'aside', 'aside'],
  ['posts_per_page', 0, 1],
  ['posts_per_page', -1, -1],
  ['posts_per_page', -5, 5],
  ['default_ping_status', 'closed', 'closed'],
  ['default_comment_status', 'closed', 'closed'],
  ['email', 'a@example.com', 'a@example.com'],
  ['url', 'https://elsewhere.example', SITE],
])('%s given as %j is stored as %j', async (name, given, stored) => {
  expect((await write({ [name]: given })).statusCode).toBe(200);
  expect((await read())[name]).toBe(stored);
});

test.each([
  ['title', 5, 'title is not of type string.'],
  ['title', ['a'], 'title is not of type string.'],
  ['start_of_week', 'x', 'start_of_week is not of type integer.'],
  ['posts_per_page', 1.5, 'posts_per_page is not of type integer.'],
  ['use_smilies', 'maybe', 'maybe is not of type boolean.'],
  ['default_ping_status', 'ajar', 'default_ping_status is not one of open, closed.'],
  ['email', 'nobody', 'Invalid email address.'],
])('%s given as %j is refused, and nothing else is stored', async (name, given, fault) => {
  const answer = await write({ [name]: given, description: 'changed' });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'rest_invalid_param', data: { params: { [name]: fault } } });
  expect(await read()).toMatchObject({ description: DEFAULT_SETTINGS.description });
});

test.each([
  ['', '0'],
  ['UTC', 0],
  ['Asia/Kathmandu', 5.75],
])('the index shows the offset of the zone "%s" as %j', async (timezone, offset) => {
  await write({ timezone });
  expect((await host.call('anonymous', 'GET', '/?_fields=gmt_offset')).json().gmt_offset).toBe(offset);
});

describe('null', () => {
  test('resets a setting to what it has without one', async () => {
    await write({ title: 'x', posts_per_page: 3, use_smilies: false, start_of_week: 3 });
    const answer = await write({ title: null, posts_per_page: null, use_smilies: null, start_of_week: null });
    expect(answer.json()).toMatchObject({ title: null, posts_per_page: 10, use_smilies: true, start_of_week: null });
  });

  test('is refused for what has been reset already, and nothing else is stored', async () => {
    await write({ title: null });
    const answer = await write({ title: null, description: 'changed' });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      code: 'rest_invalid_stored_value',
      message: 'The title property has an invalid stored value, and cannot be updated to null.',
      data: { status: 500 },
    });
    expect(await read()).toMatchObject({ description: DEFAULT_SETTINGS.description });
  });
});
