import { expect, test } from 'vitest';

import { connectPlain } from '../../clients/raw-client.ts';
import { listen, testHost } from '../../hosts/test-host.ts';

test('a malformed path by plain HTTP is answered that HTTPS is required', async () => {
  const { app } = await testHost([]);
  const client = await connectPlain(await listen(app));
  client.send('GET /%ff HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const answer = await client.ended();
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('{"errors":"HTTPS is required"}');
});

test('a malformed path through a trusted proxy that received plain HTTP is answered the same', async () => {
  const { app } = await testHost([], { proxies: '10.0.0.0/8' });
  const headers = { 'x-forwarded-proto': 'http' };
  const answer = await app.inject({ url: '/%ff', remoteAddress: '10.0.0.1', headers });
  expect(answer.json()).toEqual({ errors: 'HTTPS is required' });
});

test('the answer to a malformed path has the security headers of every other', async () => {
  const { app } = await testHost([]);
  for (const host of ['localhost', 'api.example.com']) {
    const [malformed, unknown] = await Promise.all(
      ['/%ff', '/nowhere'].map((url) => app.inject({ url, headers: { host } })),
    );
    for (const name of [
      'x-content-type-options',
      'x-frame-options',
      'referrer-policy',
      'content-security-policy',
      'strict-transport-security',
    ]) {
      expect(malformed?.headers[name], name).toBe(unknown?.headers[name]);
    }
    expect(malformed?.headers['x-frame-options']).toBe('DENY');
  }
});

test('a malformed path is logged once, under its request id', async () => {
  const { app, lines } = await testHost([]);
  const answer = await app.inject('/%ff?secret=1');
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  expect(logged).toMatchObject([{ method: 'GET', path: '/%ff', status: 400 }]);
  expect(logged[0]?.requestId).toBe(answer.headers['x-request-id']);
});
