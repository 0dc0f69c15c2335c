import { connect } from 'node:http2';
import { gzipSync } from 'node:zlib';

import { describe, expect, onTestFinished, test } from 'vitest';

import { contentEndpoint } from '../../../content/rest/content-endpoint.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { oauthEndpoint } from '../../../pages/endpoints/oauth-endpoint.ts';
import { tokenEndpoint } from '../../../server/endpoints/token-endpoint.ts';
import { gatewayEndpoint, ORIGIN } from '../../clients/graphql-client.ts';
import { connectTls } from '../../clients/raw-client.ts';
import { account } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { listen, testCertificate, testHost } from '../../hosts/test-host.ts';

useDatabase();

const MESSAGE = 'The body must not be compressed: Content-Encoding is not accepted';

async function wholeHost() {
  const { app } = await testHost([
    await accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), new URL(ORIGIN)),
    await tokenEndpoint(testService, new URL(ORIGIN), ORIGIN),
    await gatewayEndpoint(),
    await oauthEndpoint(testService, ORIGIN),
    await contentEndpoint(testService, new URL(ORIGIN)),
  ]);
  return app;
}

describe('a compressed body is 400 and says so', () => {
  test.each([
    ['/api/v2/groups', 'application/json', `{"errors":"${MESSAGE}"}`],
    ['/api/v2/ingest/osmand', 'application/json', `{"errors":"${MESSAGE}"}`],
    ['/api/special-purpose/v1/token', 'application/json', `{"errors":"${MESSAGE}"}`],
    ['/graphql', 'application/json', `{"errors":[{"message":"${MESSAGE}","extensions":{"code":"BAD_REQUEST"}}]}`],
    [
      '/wp-json/wp/v2/posts',
      'application/json',
      `{"code":"rest_invalid_request","message":"${MESSAGE}","data":{"status":400}}`,
    ],
    [
      '/oauth/token',
      'application/x-www-form-urlencoded',
      `{"error":"invalid_request","error_description":"${MESSAGE}"}`,
    ],
    ['/apps/register', 'application/x-www-form-urlencoded', '<!doctype html>'],
  ])('by POST %s', async (url, type, says) => {
    const app = await wholeHost();
    const { headers } = await account();
    for (const coding of ['gzip', 'br', 'deflate, gzip', 'x-unknown']) {
      const sent = url.startsWith('/api/v2') || url === '/graphql' ? headers : {};
      const answer = await app.inject({
        ...{ method: 'POST', url, payload: gzipSync('{"name":"North"}') },
        headers: { ...sent, 'content-type': type, 'content-encoding': coding },
      });
      expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining(says)]);
    }
  });

  test('and one that says that it is not compressed is read', async () => {
    const app = await wholeHost();
    const { headers } = await account();
    const sent = { ...headers, 'content-encoding': 'identity' };
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v2/groups',
      headers: sent,
      payload: { name: 'North' },
    });
    expect(answer.statusCode).toBe(201);
  });
});

test.each([
  ['/graphql', 204, 'GET, POST, OPTIONS'],
  ['/api/v2/groups', 204, 'GET, POST, HEAD, OPTIONS'],
  ['/api/v2/ingest', 204, 'POST, OPTIONS'],
  ['/api/special-purpose/v1/token', 204, 'POST, OPTIONS'],
  ['/wp-json/wp/v2/posts', 200, 'GET'],
  ['/oauth/token', 405, 'POST'],
  ['/apps', 405, 'GET, HEAD'],
])('OPTIONS %s with a body is as one without', async (url, status, allow) => {
  const app = await wholeHost();
  for (const sent of [
    {},
    { payload: '{"query":"{account{key}}"}' },
    { payload: '{' },
    { payload: 'x'.repeat(100_000) },
  ]) {
    for (const type of ['application/json', 'text/plain']) {
      if (url.startsWith('/wp-json') && sent.payload === '{') continue;
      const answer = await app.inject({ method: 'OPTIONS', url, ...sent, headers: { 'content-type': type } });
      expect([answer.statusCode, answer.headers.allow]).toEqual([status, allow]);
    }
  }
});

const METHODS_OF = [
  ['/graphql', 405, 'GET, OPTIONS, POST'],
  ['/api/v2/groups?size=2', 405, 'GET, HEAD, OPTIONS, POST'],
  ['/api/v2/group/abc', 405, 'DELETE, GET, HEAD, OPTIONS, POST'],
  ['/api/v2/ingest', 405, 'OPTIONS, POST'],
  ['/api/special-purpose/v1/token', 405, 'OPTIONS, POST'],
  ['/oauth/token', 405, 'POST'],
  ['/apps', 405, 'GET, HEAD'],
  ['/api/v2/nowhere', 404, undefined],
  ['/nowhere', 404, undefined],
] as const;

describe('a method that nobody knows is 405 with those of the path, and 404 on an unknown path', () => {
  test.each(METHODS_OF)('%s', async (path, status, allow) => {
    const port = await listen(await wholeHost());
    const lines = allow === undefined ? `HTTP/1.1 ${status} ` : `\r\nAllow: ${allow}\r\n`;
    for (const method of ['FOO', 'GETX', 'get']) {
      const client = await connectTls(port);
      client.send(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      const answer = await client.ended();
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).toContain(lines);
    }
    const session = connect(`https://localhost:${port}`, { ca: (await testCertificate()).ca });
    onTestFinished(() => session.destroy());
    const stream = session.request({ ':method': 'FOO', ':path': path }, { endStream: true });
    const headers = await new Promise<Record<string, unknown>>((resolve) => stream.once('response', resolve));
    expect(headers[':status']).toBe(status);
    expect(headers.allow?.toString().split(', ').sort().join(', ')).toBe(allow);
  });

  test('behind a request that is answered before', async () => {
    const client = await connectTls(await listen(await wholeHost()));
    client.send('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nFOO /graphql HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await client.ended()).toMatch(/^HTTP\/1\.1 200 .*HTTP\/1\.1 405 .*\r\nAllow: GET, OPTIONS, POST\r\n/s);
  });
});
