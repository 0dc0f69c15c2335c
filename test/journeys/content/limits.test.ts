import { randomBytes } from 'node:crypto';

import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { Admission } from '../../../http/admission/admission.ts';
import { BodyMemory } from '../../../http/requests/body-memory.ts';
import { contentEndpoint } from '../../../content/rest/content-endpoint.ts';
import { openHost } from '../../hosts/open-host.ts';
import { HoldingEndpoints } from '../../clients/held-request.ts';
import { listen } from '../../hosts/test-host.ts';
import { SITE, useContentHost } from '../../hosts/content-host.ts';
import { resetContent } from '../../services/reset-content.ts';
import { testService } from '../../services/database.ts';

const host = useContentHost();

beforeEach(resetContent);

/** A form of so many parts. */
function form(parts: number): { readonly headers: Record<string, string>; readonly bytes: Buffer } {
  const part = (at: number) => `--XX\r\nContent-Disposition: form-data; name="a${at}"\r\n\r\n1\r\n`;
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=XX' },
    bytes: Buffer.from(`${Array.from({ length: parts }, (_, at) => part(at)).join('')}--XX--\r\n`),
  };
}

describe('a form', () => {
  test.each([
    ['of 1,020 parts is read', 1020, 401, 'rest_cannot_create'],
    ['of more is refused', 1021, 413, 'rest_invalid_request'],
  ])('%s', async (_, parts, status, code) => {
    const answer = await host.call('anonymous', 'POST', '/wp/v2/media', form(parts));
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });

  test('of somebody who may upload files is limited alike', async () => {
    const answer = await host.call('author', 'POST', '/wp/v2/media', form(100_000));
    expect([answer.statusCode, answer.json().message]).toEqual([413, 'The form has more than 1020 parts; send fewer']);
  });

  test('of names and values is read as far as PHP reads it', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const bytes = Buffer.from(`${'&'.repeat(1000)}${'a=1&'.repeat(999)}title=Read&${'b&'.repeat(100_000)}title=Unread`);
    const answer = await host.call('editor', 'POST', '/wp/v2/posts', { headers, bytes });
    expect(answer.json().title.raw).toBe('Read');
  });
});

test.each([
  ['a visitor', 'anonymous', 512 * 1024],
  ['a user who may not upload files', 'contributor', 1024 * 1024],
] as const)('%s sends bodies up to a size', async (_, asker, size) => {
  const headers = { 'content-type': 'image/png' };
  const status = async (bytes: Buffer) =>
    (await host.call(asker, 'POST', '/wp/v2/media', { headers, bytes })).statusCode;
  expect(await status(Buffer.alloc(size))).toBe(asker === 'anonymous' ? 401 : 403);
  expect(await status(Buffer.alloc(size + 1))).toBe(413);
});

test.each([
  ['anonymous', 512],
  ['subscriber', 1024],
  ['contributor', 16 * 1024],
  ['author', 16 * 1024],
] as const)('%s sends JSON of %i KiB, and no more', async (asker, kibibytes) => {
  const status = async (size: number) => {
    const bytes = Buffer.from(`{"content":"${'x'.repeat(size - 14)}"}`);
    const headers = { 'content-type': 'application/json' };
    return (await host.call(asker, 'POST', '/wp/v2/posts?_method=GET', { headers, bytes })).statusCode;
  };
  const size = kibibytes * 1024;
  expect(await status(size)).toBe(200);
  expect(await status(size + 1)).toBe(413);
});

test.each([
  ['numbers', (count: number) => `{"a":[${'1,'.repeat(count - 3)}1]}`],
  ['lists', (count: number) => `{"a":[${'[],'.repeat(count / 2 - 2)}1,1]}`],
  ['names', (count: number) => `{${Array.from({ length: count - 1 }, (_, at) => `"a${at}":",["`).join()}}`],
] as const)('JSON of up to 100,000 values is read: %s', async (_, body) => {
  const read = async (count: number) => {
    const headers = { 'content-type': 'application/json' };
    const call = { headers, bytes: Buffer.from(body(count)) };
    return (await host.call('contributor', 'POST', '/wp/v2/posts?_method=GET', call)).json();
  };
  expect(await read(100_000)).toEqual([]);
  expect(await read(100_002)).toEqual({
    code: 'rest_invalid_request',
    message: 'The JSON body has more than 100000 values; send fewer',
    data: { status: 413 },
  });
});

test('uploads that are held beyond the memory for them are refused until others are over', async () => {
  const endpoints = new HoldingEndpoints();
  const app = await openHost([
    endpoints.hold(await contentEndpoint(testService, new URL(SITE), new BodyMemory(3_000))),
  ]);
  onTestFinished(() => app.close());
  const port = await listen(app);
  const headers = {
    host: 'localhost',
    authorization: host.credentialsOf('author'),
    'content-type': 'text/plain',
    'content-disposition': 'attachment; filename="a.txt"',
  };
  const upload = (bytes: number) => {
    const payload = randomBytes(bytes / 2).toString('hex');
    return app.inject({ method: 'POST', url: '/wp-json/wp/v2/media', headers, payload });
  };
  // Of 576 pixels: 2,304 bytes decoded, and far fewer as a file.
  const picture = await sharp({ create: { width: 24, height: 24, channels: 3, background: 'navy' } })
    .png()
    .toBuffer();
  const uploadPicture = () =>
    app.inject({
      method: 'POST',
      url: '/wp-json/wp/v2/media',
      headers: { ...headers, 'content-type': 'image/png', 'content-disposition': 'attachment; filename="a.png"' },
      payload: picture,
    });
  const held = await endpoints.send(
    port,
    { method: 'POST', path: '/wp-json/wp/v2/media', headers, body: 'x'.repeat(2_000) },
    async () => {
      const refused = await upload(2_400);
      expect(refused.statusCode).toBe(503);
      expect(refused.json()).toEqual({
        code: 'rest_unavailable',
        message: 'Too many uploads are in progress; try again later',
        data: { status: 503 },
      });
      expect(refused.headers['retry-after']).toBe('10');
      expect((await uploadPicture()).json().code).toBe('rest_unavailable');
    },
  );
  expect(held.status).toBe(201);
  expect((await uploadPicture()).statusCode).toBe(201);
  expect((await upload(2_400)).statusCode).toBe(201);
  expect((await upload(3_200)).statusCode).toBe(503);
});

describe('what is embedded', () => {
  const quota = (name: string, points: number) => ({ name, points, seconds: 60 });

  async function limited(requests: number): Promise<FastifyInstance> {
    const plenty = quota('plenty', 1e9);
    const few = { caller: quota('caller', requests), address: quota('address', requests) };
    const more = { account: plenty, accountPoints: plenty };
    const all = { forwarder: plenty, points: plenty, mapPoints: plenty, appPoints: plenty, ...more, ...few };
    const app = await openHost([await contentEndpoint(testService, new URL(SITE))], { admission: new Admission(all) });
    onTestFinished(() => app.close());
    return app;
  }

  beforeEach(async () => {
    for (const title of ['One', 'Two', 'Three']) {
      await host.call('editor', 'POST', '/wp/v2/posts', { json: { title, status: 'publish' } });
    }
  });

  const posts = '/wp-json/wp/v2/posts';

  test('counts as the requests that it spares, each address once', async () => {
    const app = await limited(100);
    const authorization = host.credentialsOf('editor');
    const left = async (url: string) => {
      const { headers } = await app.inject({ url, headers: { authorization } });
      return Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
    };
    expect(await left(posts)).toBe(99);
    // Of each post replies, categories and tags, and the author of all of them.
    expect(await left(`${posts}?_embed`)).toBe(99 - 1 - 3 * 3 - 1);
  });

  test.each(['anonymous', 'editor'] as const)('is refused to %s beyond the limit', async (asker) => {
    const app = await limited(5);
    const headers = asker === 'anonymous' ? {} : { authorization: host.credentialsOf(asker) };
    expect((await app.inject({ url: posts, headers })).statusCode).toBe(200);
    const refused = await app.inject({ url: `${posts}?_embed`, headers });
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'rest_too_many_requests']);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
  });
});
