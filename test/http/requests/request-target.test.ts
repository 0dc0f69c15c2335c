import { describe, expect, test } from 'vitest';

import { connectPlain, connectTls } from '../../clients/raw-client.ts';
import { endpointOf, listen, type TestHost, testHost } from '../../hosts/test-host.ts';

const endpoint = endpointOf((app) => {
  app.get('/me', async ({ url, host, query }) => ({ url, host, query }));
  app.get('/', async () => ({ front: true }));
  app.get('/*', async ({ raw, host }) => ({ at: new URL(raw.url ?? '', `https://${host}`).pathname }));
});

/** Sends a head by TLS and answers all that came back. */
async function exchange({ app }: TestHost, head: readonly string[]): Promise<string> {
  const client = await connectTls(await listen(app));
  client.send(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  return client.ended();
}

describe('a target in absolute form', () => {
  test.each([
    ['https://api.example.com/me?a=1', '{"url":"/me?a=1","host":"api.example.com","query":{"a":"1"}}'],
    ['HTTPS://api.example.com:8443/me', '{"url":"/me","host":"api.example.com:8443","query":{}}'],
    ['https://api.example.com?a=1', '{"front":true}'],
    ['https://api.example.com', '{"front":true}'],
    ['https://api.example.com/else/where', '{"at":"/else/where"}'],
  ])('GET %s is answered as its path, and its authority takes the place of Host', async (target, body) => {
    const answer = await exchange(await testHost([endpoint]), [`GET ${target} HTTP/1.1`, 'Host: other.example']);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(answer).toContain(body);
  });

  test('http: is answered that HTTPS is required', async () => {
    const answer = await exchange(await testHost([endpoint]), ['GET http://localhost/me HTTP/1.1', 'Host: localhost']);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('{"errors":"HTTPS is required"}');
  });

  test.each(['https://user:pass@localhost/me', 'https://localhost:99999/me', 'https://a%2Ab/me', 'https://a,b/me'])(
    'GET %s names no host, and is 400',
    async (target) => {
      const host = await testHost([endpoint]);
      expect(await exchange(host, [`GET ${target} HTTP/1.1`, 'Host: localhost'])).toMatch(/^HTTP\/1\.1 400 /);
      expect(host.lines.join('')).not.toContain('pass');
    },
  );

  test('by plain HTTP of a trusted proxy is answered where the proxy saw HTTPS', async () => {
    const { app } = await testHost([endpoint], { proxies: '127.0.0.1' });
    const client = await connectPlain(await listen(app));
    const head = ['GET http://api.example.com/me HTTP/1.1', 'Host: x', 'X-Forwarded-Proto: https', 'Connection: close'];
    client.send(`${head.join('\r\n')}\r\n\r\n`);
    expect(await client.ended()).toContain('"host":"api.example.com"');
  });
});

describe('a target that is no path', () => {
  test('OPTIONS * asks about the server', async () => {
    const answer = await exchange(await testHost([endpoint]), ['OPTIONS * HTTP/1.1', 'Host: localhost']);
    expect(answer).toMatch(/^HTTP\/1\.1 204 /);
    expect(answer).toMatch(/\r\nallow: DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT\r\n/i);
    expect(answer).toMatch(/\r\nx-request-id: /i);
  });

  test('OPTIONS of an authority asks the same', async () => {
    const answer = await exchange(await testHost([endpoint]), [
      'OPTIONS https://localhost HTTP/1.1',
      'Host: localhost',
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 204 /);
  });

  test.each(['GET', 'POST', 'HEAD', 'DELETE', 'PROPFIND'])('%s * is 400', async (method) => {
    const host = await testHost([endpoint]);
    const answer = await exchange(host, [`${method} * HTTP/1.1`, 'Host: localhost']);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    if (method !== 'HEAD') expect(answer).toContain('{"errors":"The request target must be a path"}');
    expect(host.lines.join('')).not.toContain('"level":50');
  });

  test('CONNECT is 405, and no silence', async () => {
    const answer = await exchange(await testHost([endpoint]), [
      'CONNECT localhost:443 HTTP/1.1',
      'Host: localhost:443',
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toMatch(/\r\nallow: DELETE, GET/i);
  });
});

describe('the Host header', () => {
  test.each([
    ['is there twice', ['Host: localhost', 'Host: other.example']],
    ['is there twice alike', ['Host: localhost', 'host: localhost']],
    ['is missing', []],
    ['is empty', ['Host:']],
    ['is a list', ['Host: localhost, other.example']],
    ['has a port that is none', ['Host: localhost:99999']],
    ['is no address', ['Host: [:::::]']],
    ['is an address out of range', ['Host: 999.999.999.999']],
  ])('%s: 400', async (_, headers) => {
    for (const target of ['/me', 'https://localhost/me']) {
      const answer = await exchange(await testHost([endpoint]), [`GET ${target} HTTP/1.1`, ...headers]);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('{"errors":"The Host header must name a host"}');
    }
  });
});
