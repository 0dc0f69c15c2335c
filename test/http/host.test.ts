import { maxHeaderSize } from 'node:http';

import { describe, expect, test } from 'vitest';

import { ServiceError } from '../../schema/service-error.ts';
import { BODY_LIMIT, UPLOAD_LIMIT } from '../../http/requests/body-limits.ts';
import { connectTls } from '../clients/raw-client.ts';
import { endpointOf, listen, testHost } from '../hosts/test-host.ts';

class MongoServerSelectionError extends Error {
  override readonly name = 'MongoServerSelectionError';
}

const endpoint = endpointOf((app) => {
  app.get('/thing/:key', async () => ({ thing: true }));
  app.post('/thing/:key', async ({ body }) => ({ body }));
  app.patch('/thing/:other_name', async () => ({}));
  app.post('/upload', { bodyLimit: UPLOAD_LIMIT }, async ({ body }) => ({ size: JSON.stringify(body).length }));
  app.get('/large', async () => ({ text: 'waybridge '.repeat(1000) }));
  app.get('/fault', async () => {
    throw new Error('the engine is on fire');
  });
  app.get('/unreachable', async () => {
    throw new Error('wrapped', { cause: new MongoServerSelectionError('connect ECONNREFUSED') });
  });
  app.get('/refused/:code', async ({ params }) => {
    const { code } = params as { code: 'BAD_REQUEST' | 'UNAUTHENTICATED' | 'FORBIDDEN' | 'NOT_FOUND' };
    throw new ServiceError(code, 'size must be a number');
  });
});

describe('every answer', () => {
  test.each(['/thing/1', '/nowhere', '/fault', '/healthz', '/%ff', `/thing/${'k'.repeat(2000)}`])(
    'of %.20s carries a request id of its own',
    async (url) => {
      const { app } = await testHost([endpoint]);
      const first = await app.inject({ url, headers: { 'x-request-id': 'mine' } });
      const second = await app.inject({ url });
      expect(first.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    },
  );

  test('carries the request id of a trusted proxy, if it is one', async () => {
    const { app } = await testHost([endpoint], { proxies: '10.0.0.0/8' });
    const idFor = async (id: string): Promise<unknown> => {
      const headers = { 'x-request-id': id, 'x-forwarded-proto': 'https' };
      return (await app.inject({ url: '/nowhere', remoteAddress: '10.0.0.1', headers })).headers['x-request-id'];
    };
    expect(await idFor('trace-1')).toBe('trace-1');
    expect(await idFor('two words')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['localhost:8443', false],
    ['127.0.0.1', false],
    ['[::1]:8443', false],
    ['api.example.com', true],
    ['192.0.2.7:8443', true],
  ])('for the host %s has HSTS: %s', async (host, has) => {
    const { app } = await testHost([endpoint]);
    const { headers } = await app.inject({ url: '/thing/1', headers: { host } });
    expect('strict-transport-security' in headers).toBe(has);
  });

  test('forbids to frame it and to guess its type', async () => {
    const { app } = await testHost([endpoint]);
    const { headers } = await app.inject('/nowhere');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });
});

describe('errors', () => {
  test('an unknown path is 404 with an empty body', async () => {
    const { app } = await testHost([endpoint]);
    expect(await app.inject('/nowhere')).toMatchObject({ statusCode: 404, body: '' });
  });

  test('a known path with another method is 405 with Allow and an empty body, whatever is sent', async () => {
    const { app } = await testHost([endpoint]);
    const refused = await app.inject({
      method: 'PUT',
      url: '/thing/1',
      payload: '{"cut',
      headers: { 'content-type': 'application/json' },
    });
    expect(refused).toMatchObject({ statusCode: 405, body: '' });
    expect(refused.headers.allow).toBe('GET, HEAD, PATCH, POST');
  });

  test.each(['PROPFIND', 'TRACE', 'M-SEARCH', 'LOCK'])('%s is such a method, too', async (method) => {
    const { app } = await testHost([endpoint]);
    const client = await connectTls(await listen(app));
    client.send(`${method} /thing/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    const answer = await client.ended();
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toMatch(/\r\nallow: GET, HEAD, PATCH, POST\r\n/);
    expect(answer).toMatch(/\r\n\r\n$/);
    const unknown = await connectTls(Number(new URL(app.listeningOrigin).port));
    unknown.send(`${method} /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(await unknown.ended()).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('a fault is 500 with an empty body, and its cause is logged once under the request id', async () => {
    const { app, lines } = await testHost([endpoint]);
    const answer = await app.inject('/fault');
    expect(answer).toMatchObject({ statusCode: 500, body: '' });
    const causes = lines.filter((line) => line.includes('the engine is on fire'));
    expect(causes).toHaveLength(1);
    expect(JSON.parse(String(causes[0]))).toMatchObject({ requestId: answer.headers['x-request-id'], level: 50 });
  });

  test('an unreachable database is 503 with Retry-After and an empty body', async () => {
    const { app } = await testHost([endpoint]);
    const answer = await app.inject('/unreachable');
    expect(answer).toMatchObject({ statusCode: 503, body: '' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  test.each([
    ['BAD_REQUEST', 400, '{"errors":"size must be a number"}'],
    ['UNAUTHENTICATED', 401, ''],
    ['FORBIDDEN', 403, ''],
    ['NOT_FOUND', 404, ''],
  ])('an endpoint that throws %s is answered by %i', async (code, statusCode, body) => {
    const { app, lines } = await testHost([endpoint]);
    const answer = await app.inject(`/refused/${code}`);
    expect(answer).toMatchObject({ statusCode, body });
    expect('www-authenticate' in answer.headers).toBe(statusCode === 401);
    expect(lines.join('')).not.toContain('"level":50');
  });

  test.each([
    ['{"cut', 'application/json', 'The body must be JSON'],
    ['', 'application/json', 'The body must be JSON, and it is empty'],
    ['<a/>', 'text/xml', 'The Content-Type must be application/json'],
    ['{"__proto__":{"a":1}}', 'application/json', 'The body must be JSON'],
  ])('the body %j of type %s is 400', async (payload, type, errors) => {
    const { app } = await testHost([endpoint]);
    const answer = await app.inject({ method: 'POST', url: '/thing/1', payload, headers: { 'content-type': type } });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ errors });
  });

  test('a body above 1 MiB is 413, unless the route takes uploads up to 32 MiB', async () => {
    const { app } = await testHost([endpoint]);
    const post = (url: string, bytes: number) =>
      app.inject({ method: 'POST', url, payload: { text: 'x'.repeat(bytes) } });
    const refused = await post('/thing/1', BODY_LIMIT);
    expect(refused.statusCode).toBe(413);
    expect(refused.json()).toEqual({ errors: 'The body is too large' });
    expect((await post('/thing/1', BODY_LIMIT - 100)).statusCode).toBe(200);
    expect((await post('/upload', BODY_LIMIT)).statusCode).toBe(200);
    expect((await post('/upload', UPLOAD_LIMIT)).statusCode).toBe(413);
  });

  test('a key as long as a request may be is answered by the endpoint', async () => {
    const { app } = await testHost([endpoint]);
    const client = await connectTls(await listen(app));
    const url = `/thing/${'k'.repeat(maxHeaderSize - 200)}`;
    client.send(`GET ${url} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(await client.ended()).toMatch(/HTTP\/1\.1 200 /);
  });

  test('a malformed path is 400', async () => {
    const { app } = await testHost([endpoint]);
    expect((await app.inject('/thing/%ff')).json()).toEqual({ errors: 'The path must be percent-encoded UTF-8' });
  });
});

describe('answers', () => {
  test('to HEAD are those to GET without the body', async () => {
    const { app } = await testHost([endpoint]);
    const got = await app.inject('/thing/1');
    const head = await app.inject({ method: 'HEAD', url: '/thing/1' });
    expect(head).toMatchObject({ statusCode: 200, body: '' });
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ])('above the threshold are compressed for %s', async (accept, encoding) => {
    const { app } = await testHost([endpoint]);
    const { headers } = await app.inject({ url: '/large', headers: { 'accept-encoding': accept } });
    expect(headers['content-encoding']).toBe(encoding);
  });

  test('that are tiny are not compressed', async () => {
    const { app } = await testHost([endpoint]);
    const { headers } = await app.inject({ url: '/thing/1', headers: { 'accept-encoding': 'br, gzip' } });
    expect(headers['content-encoding']).toBeUndefined();
  });
});

test('an endpoint that cannot register stops the start', async () => {
  const { app } = await testHost([endpointOf(() => Promise.reject(new Error('No such field')))]);
  await expect(app.ready()).rejects.toThrow('No such field');
});
