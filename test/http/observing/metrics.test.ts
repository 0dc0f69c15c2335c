import { describe, expect, test } from 'vitest';

import { endpointOf, testHost } from '../../hosts/test-host.ts';

const TOKEN = 'metrics-token-0123456789';
const endpoint = endpointOf((app) => {
  app.get('/thing/:key', async () => ({}));
});

test('counts requests by method, route and status, and never by path', async () => {
  const { app } = await testHost([endpoint]);
  await app.inject('/thing/secret-key');
  await app.inject('/nowhere/secret-path');
  const { body } = await app.inject('/metrics');
  expect(body).toContain('http_request_duration_seconds_count{method="GET",route="/thing/:key",status="200"} 1');
  expect(body).toContain('http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 1');
  expect(body).toContain('process_resident_memory_bytes');
  expect(body).not.toContain('secret');
});

test('tells the versions of the program and of Node.js', async () => {
  const { app } = await testHost([]);
  const { body } = await app.inject('/metrics');
  expect(body).toContain(`waybridge_build_info{version="1.2.3",node="${process.versions.node}"} 1`);
});

describe('/metrics', () => {
  test.each([
    ['a program on this machine', '127.0.0.1', {}, 200],
    ['a program on this machine by IPv6', '::1', {}, 200],
    ['a proxy on this machine', '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, 404],
    ['a proxy on this machine, by the standard header', '127.0.0.1', { forwarded: 'for=203.0.113.9' }, 404],
    ['Prometheus on this machine', '127.0.0.1', { 'X-Prometheus-Scrape-Timeout-Seconds': '10' }, 200],
    ['a proxy on this machine with the token', '127.0.0.1', { via: '1.1 x', authorization: `Bearer ${TOKEN}` }, 200],
    ['another machine', '192.0.2.1', {}, 404],
    ['another machine with a wrong token', '192.0.2.1', { authorization: 'Bearer wrong' }, 404],
    ['another machine with the token', '192.0.2.1', { authorization: `Bearer ${TOKEN}` }, 200],
  ])('to %s', async (_, remoteAddress, headers, status) => {
    const { app } = await testHost([], { metricsToken: TOKEN });
    expect((await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode).toBe(status);
  });

  test.each([
    ...['CF-Connecting-IP', 'CF-Connecting-IPv6', 'CF-Ray', 'True-Client-IP', 'X-Client-IP', 'Fastly-Client-IP', 'Via'],
    ...['X-Real-IP', 'X-Cluster-Client-IP', 'X-Envoy-External-Address', 'X-Original-Forwarded-For', 'X-Forwarded'],
    ...['X-ProxyUser-Ip', 'X-Azure-ClientIP', 'X-Appengine-User-IP', 'X-Amzn-Trace-Id', 'Forwarded-For', 'Client-IP'],
    ...['X-Original-Host', 'X-Remote-Addr', 'Fly-Client-IP', 'WL-Proxy-Client-IP', 'Akamai-Origin-Hop', 'CDN-Loop'],
  ])('is closed to a proxy on this machine that sends %s alone', async (name) => {
    const { app } = await testHost([], { metricsToken: TOKEN });
    const answer = await app.inject({
      url: '/metrics',
      remoteAddress: '127.0.0.1',
      headers: { [name]: '203.0.113.9' },
    });
    expect(answer.statusCode).toBe(404);
  });

  test('stays closed to other machines when no token is configured', async () => {
    const { app } = await testHost([]);
    const request = { url: '/metrics', remoteAddress: '192.0.2.1', headers: { authorization: 'Bearer null' } };
    expect(await app.inject(request)).toMatchObject({ statusCode: 404, body: '' });
  });
});
