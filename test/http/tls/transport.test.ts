import { describe, expect, test } from 'vitest';

import { endpointOf, testHost } from '../../hosts/test-host.ts';

const endpoint = endpointOf((app) => {
  app.get('/me', async ({ ip, protocol, host, headers }) => ({
    ip,
    protocol,
    host,
    forwarded: Object.keys(headers).filter((name) => name.startsWith('x-forwarded')),
  }));
});

describe('behind a trusted proxy', () => {
  const proxied = async (headers: Record<string, string>) => {
    const { app } = await testHost([endpoint], { proxies: '10.0.0.0/8' });
    return app.inject({ url: '/me', remoteAddress: '10.0.0.1', headers });
  };

  test.each(['http', 'https, http', 'http, https', ''])('X-Forwarded-Proto %j is refused', async (proto) => {
    const answer = await proxied({ 'x-forwarded-proto': proto });
    expect(answer).toMatchObject({ statusCode: 400, body: '{"errors":"HTTPS is required"}' });
    expect(answer.headers.location).toBeUndefined();
  });

  test('the forwarded address, protocol and host are believed', async () => {
    const answer = await proxied({
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'api.example.com',
    });
    expect(answer.json()).toMatchObject({ ip: '203.0.113.9', protocol: 'https', host: 'api.example.com' });
  });

  test('an address that the client made up before the proxy is not believed', async () => {
    const answer = await proxied({ 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1, 203.0.113.9' });
    expect(answer.json()).toMatchObject({ ip: '203.0.113.9' });
  });
});

test('forwarding headers of anybody else are ignored', async () => {
  const { app } = await testHost([endpoint], { proxies: '10.0.0.0/8' });
  const headers = {
    'x-forwarded-proto': 'http',
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-host': 'evil.example',
    host: 'localhost',
  };
  const answer = await app.inject({ url: '/me', remoteAddress: '192.0.2.1', headers });
  expect(answer.json()).toMatchObject({ ip: '192.0.2.1', host: 'localhost', forwarded: [] });
});

test.each(['a b', 'evil.example/path', 'user@example.com', '[::1', 'a:b'])('the Host %j is 400', async (host) => {
  const { app } = await testHost([endpoint]);
  const answer = await app.inject({ url: '/me', headers: { host } });
  expect(answer.json()).toEqual({ errors: 'The Host header must name a host' });
});
