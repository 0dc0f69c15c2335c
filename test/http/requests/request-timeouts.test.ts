import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import type { Endpoint } from '../../../http/endpoint.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { contentEndpoint } from '../../../content/rest/content-endpoint.ts';
import { oauthEndpoint } from '../../../pages/endpoints/oauth-endpoint.ts';
import { tokenEndpoint } from '../../../server/endpoints/token-endpoint.ts';
import { RequestTimeouts } from '../../../http/requests/request-timeouts.ts';
import { addWebsiteUser } from '../../../content/users/manage-website-user.ts';
import { account } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { gatewayEndpoint, ORIGIN } from '../../clients/graphql-client.ts';
import { connectPlain, connectTls, type RawClient } from '../../clients/raw-client.ts';
import { endpointOf, listen, testHost } from '../../hosts/test-host.ts';

useDatabase();

const HOST = 'Host: localhost\r\n';
const FORM = 'Content-Type: application/x-www-form-urlencoded';
const TOKEN_PATH = '/api/special-purpose/v1/token';
const MiB = 1024 * 1024;

/** A service whose clock a test turns. */
async function clockedHost(endpoints: readonly Endpoint[]) {
  let now = 0;
  const arrived: IncomingMessage[] = [];
  // The service checks only when a test does.
  const timeouts = new RequestTimeouts({ checkMs: 3_600_000 }, () => now);
  const { app } = await testHost(endpoints, { timeouts });
  app.server.on('request', (request: IncomingMessage) => void arrived.push(request));
  const port = await listen(app);
  return {
    app,
    port,
    arrived,
    /** Lets time pass, once everything that was sent has been read as far as it is wanted. */
    pass: async (seconds: number) => {
      for (let turn = 0; turn < 50; turn++) await setImmediate();
      now += seconds * 1000;
      timeouts.check();
    },
  };
}

type Host = Awaited<ReturnType<typeof clockedHost>>;

const accountApi = () => accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), new URL(ORIGIN));

/** Waits for something that another end of a connection does. */
async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await setImmediate();
}

const echo = endpointOf((app) => {
  app.post('/echo', async ({ body }) => body);
  app.get('/thing', async () => ({ thing: true }));
});
const head = (method: string, path: string, length: number, ...lines: string[]): string =>
  `${method} ${path} HTTP/1.1\r\n${HOST}Content-Length: ${length}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;

/** Sends a request up to a body that never comes, and waits until the service has its headers. */
async function begin(host: Awaited<ReturnType<typeof clockedHost>>, text: string): Promise<RawClient> {
  const client = await connectTls(host.port);
  const { length } = host.arrived;
  client.send(text);
  await until(() => host.arrived.length > length);
  return client;
}

async function author(role = 'author'): Promise<string> {
  const login = `${role}${Math.random().toString(36).slice(2)}`;
  const { application_password } = await addWebsiteUser(testService, login, `${login}@example.com`, role);
  return `Authorization: Basic ${Buffer.from(`${login}:${application_password}`).toString('base64')}`;
}

describe('headers', () => {
  const QUICK = { headersMs: 60, checkMs: 20 };

  test('that take too long are 408', async () => {
    // By then, the TLS handshake must be over too.
    const { app } = await testHost([echo], { timeouts: new RequestTimeouts({ ...QUICK, headersMs: 3000 }) });
    const client = await connectTls(await listen(app));
    client.send(`POST /echo HTTP/1.1\r\n${HOST}`);
    expect(await client.ended()).toMatch(
      /^HTTP\/1\.1 408 Request Timeout\r\n.*Connection: close.*\{"errors":"The request took too long to arrive"\}$/s,
    );
  });

  test.each(['', '\u0016', '\u0016\u0003\u0001\u0002\u0000'])(
    'that never come after %j end the connection',
    async (sent) => {
      const { app } = await testHost([echo], { timeouts: new RequestTimeouts(QUICK) });
      const client = await connectPlain(await listen(app));
      client.send(sent);
      expect(await client.ended()).toBe('');
    },
  );
});

describe('a body of up to 1 MiB', () => {
  test.each<[string, () => Promise<readonly [endpoint: Endpoint, text: string, says: string]>]>([
    [
      'the account API',
      async () => {
        const key = `Service-Api-Key: ${(await account()).api_key}`;
        const endpoint = await accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), new URL(ORIGIN));
        return [endpoint, head('POST', '/api/v2/groups', 30, key), '{"errors":"The body took too long to arrive"}'];
      },
    ],
    [
      'the token endpoint',
      async () => [
        await tokenEndpoint(testService, new URL(ORIGIN), ORIGIN),
        head('POST', '/api/special-purpose/v1/token', 30, 'Content-Type: application/json'),
        '{"errors":"The body took too long to arrive"}',
      ],
    ],
    [
      'GraphQL',
      async () => [
        await gatewayEndpoint(),
        head('POST', '/graphql', 30, 'Content-Type: application/json'),
        '"code":"REQUEST_TIMEOUT"',
      ],
    ],
    [
      'the content interface',
      async () => [
        await contentEndpoint(testService, new URL(ORIGIN)),
        head('POST', '/wp-json/wp/v2/posts', 30, 'Content-Type: application/json', await author()),
        '{"code":"rest_invalid_request","message":"The body took too long to arrive","data":{"status":408}}',
      ],
    ],
    [
      'the content interface by GET',
      async () => [
        await contentEndpoint(testService, new URL(ORIGIN)),
        head('GET', '/wp-json/wp/v2/posts', 30, 'Content-Type: application/json'),
        '"rest_invalid_request"',
      ],
    ],
    [
      'the OAuth endpoints',
      async () => [
        await oauthEndpoint(testService, ORIGIN),
        head('POST', '/oauth/token', 30, 'Content-Type: application/x-www-form-urlencoded'),
        '{"error":"invalid_request","error_description":"The body took too long to arrive"}',
      ],
    ],
    [
      'the developer platform',
      async () => [
        await oauthEndpoint(testService, ORIGIN),
        head('POST', '/apps/register', 30, 'Content-Type: application/x-www-form-urlencoded'),
        '<!doctype html>',
      ],
    ],
  ])('of %s has 20 seconds, then 408 and the end of the connection', async (_, make) => {
    const [endpoint, text, says] = await make();
    const host = await clockedHost([endpoint]);
    const client = await begin(host, `${text}{"half":`);
    let over = false;
    const ended = client.ended().finally(() => {
      over = true;
    });
    await until(() => host.arrived[0]?.listenerCount('error') !== 0);
    await host.pass(19.9);
    expect(over).toBe(false);
    await host.pass(0.1);
    const answer = await ended;
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    expect(answer).toContain(says);
  });

  test('that comes in time is taken, however slowly', async () => {
    const host = await clockedHost([echo]);
    const body = '{"a":[1,2,3]}';
    const client = await begin(host, head('POST', '/echo', body.length, 'Content-Type: application/json'));
    for (const letter of body.slice(0, -1)) {
      client.send(letter);
      await host.pass(1);
    }
    client.send('}');
    expect(await client.received('[1,2,3]')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('gains no time by its rate', async () => {
    const host = await clockedHost([await contentEndpoint(testService, new URL(ORIGIN))]);
    const type = 'Content-Type: application/json';
    const client = await begin(host, head('POST', '/wp-json/wp/v2/posts', MiB, type, await author()));
    for (let second = 0; second < 20; second += 5) {
      const { bytesRead = 0 } = host.arrived[0]?.socket ?? {};
      client.send('x'.repeat(100_000));
      await until(() => (host.arrived[0]?.socket.bytesRead ?? 0) >= bytesRead + 100_000);
      await host.pass(5);
    }
    expect(await client.ended()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('that nobody waits for, since the request was answered, ends the connection when it is late', async () => {
    const host = await clockedHost([
      echo,
      await accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), new URL(ORIGIN)),
    ]);
    for (const [text, status] of [
      [head('POST', '/api/v2/groups', 30, 'Service-Api-Key: none'), 401],
      [head('POST', '/nowhere', 30), 404],
      [head('POST', '/%ff', 30), 400],
      [head('GET', '/thing', 30), 200],
    ] as const) {
      const client = await begin(host, text);
      expect(await client.received('\r\n\r\n')).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      await host.pass(20);
      await client.ended();
    }
  });
});

describe('a larger body', () => {
  const UPLOAD = [
    'Content-Type: text/plain',
    'Content-Disposition: attachment; filename="slow.txt"',
    'Connection: close',
  ];

  /** Sends a file in pieces, one in ten seconds, until it is whole or refused. */
  async function upload(bytesPerSecond: number, size: number, lines: readonly string[]): Promise<string> {
    const host = await clockedHost([await contentEndpoint(testService, new URL(ORIGIN))]);
    const client = await begin(host, head('POST', '/wp-json/wp/v2/media', size, await author(), ...lines));
    const socket = host.arrived[0]?.socket;
    for (let sent = 0; sent < size && !socket?.destroyed; sent += bytesPerSecond * 10) {
      const before = socket?.bytesRead ?? 0;
      const piece = Math.min(bytesPerSecond * 10, size - sent);
      client.send('x'.repeat(piece));
      await until(() => socket?.destroyed || (socket?.bytesRead ?? 0) >= before + piece);
      if (sent + piece < size) await host.pass(10);
    }
    return client.ended();
  }

  test('may take any time at 16 kB a second', async () => {
    expect(await upload(16_000, 3 * MiB, UPLOAD)).toMatch(/^HTTP\/1\.1 201 /);
  });

  test('is 408 when it falls behind that by 20 seconds', async () => {
    const answer = await upload(12_000, 3 * MiB, UPLOAD);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"rest_invalid_request"');
  });

  test('gains no more than 20 seconds by being fast at first', async () => {
    const host = await clockedHost([await contentEndpoint(testService, new URL(ORIGIN))]);
    const client = await begin(host, head('POST', '/wp-json/wp/v2/media', 3 * MiB, await author(), ...UPLOAD));
    client.send('x'.repeat(2 * MiB));
    await until(() => (host.arrived[0]?.socket.bytesRead ?? 0) >= 2 * MiB);
    await host.pass(1);
    await host.pass(20);
    expect(await client.ended()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test.each<[string, () => Promise<string[]>, string]>([
    ['a visitor', async () => [], 'text/plain'],
    ['somebody who may upload no files', async () => [await author('contributor')], 'text/plain'],
    ['somebody who may write no posts', async () => [await author('subscriber')], 'application/json'],
  ])('of %s is refused before it is sent', async (_, credentials, type) => {
    const host = await clockedHost([await contentEndpoint(testService, new URL(ORIGIN))]);
    const lines = [
      `Content-Type: ${type}`,
      'Content-Disposition: attachment; filename="a.txt"',
      ...(await credentials()),
    ];
    const client = await begin(host, head('POST', '/wp-json/wp/v2/media', MiB + 1, ...lines));
    expect(await client.received('\r\n\r\n')).toMatch(/^HTTP\/1\.1 4(01|03|13) .*\r\nconnection: close\r\n/is);
  });

  test.each<[string, string, () => Promise<Endpoint>]>([
    [
      'the account API',
      '/api/v2/groups',
      () => accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), new URL(ORIGIN)),
    ],
    ['GraphQL', '/graphql', gatewayEndpoint],
  ])('with a wrong credential is refused by %s before it is sent', async (_, path, make) => {
    const host = await clockedHost([await make()]);
    const client = await begin(host, head('POST', path, MiB + 1, 'Service-Api-Key: none', 'Connection: close'));
    expect(await client.received('\r\n\r\n')).toMatch(/^HTTP\/1\.1 401 /);
  });

  test.each<[string, () => Promise<readonly [Endpoint, string]>]>([
    ['401', async () => [await accountApi(), head('POST', '/api/v2/groups', 3 * MiB, 'Service-Api-Key: none')]],
    ['401', async () => [await gatewayEndpoint(), head('POST', '/graphql', 3 * MiB, 'Service-Api-Key: none')]],
    ['404', async () => [echo, head('POST', '/nowhere', 3 * MiB, 'Content-Type: application/json')]],
    ['405', async () => [echo, head('PUT', '/thing', 3 * MiB)]],
    ['413', async () => [echo, head('POST', '/echo', 3 * MiB, 'Content-Type: application/json')]],
    ['413', async () => [await gatewayEndpoint(), head('POST', '/graphql', 3 * MiB)]],
    [
      '413',
      async () => [await contentEndpoint(testService, new URL(ORIGIN)), head('POST', '/wp-json/wp/v2/media', 3 * MiB)],
    ],
    ['413', async () => [await tokenEndpoint(testService, new URL(ORIGIN), ORIGIN), head('POST', TOKEN_PATH, 3 * MiB)]],
    ['413', async () => [await oauthEndpoint(testService, ORIGIN), head('POST', '/oauth/token', 3 * MiB, FORM)]],
    ['413', async () => [await oauthEndpoint(testService, ORIGIN), head('POST', '/apps/register', 3 * MiB, FORM)]],
  ])('that is refused by %s is read to its end after the answer, and dropped', async (status, make) => {
    const [endpoint, text] = await make();
    const host = await clockedHost([endpoint]);
    const client = await begin(host, text);
    const answer = await client.received('\r\n\r\n');
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\nconnection: close\r\n`, 'is'));
    client.send('x'.repeat(3 * MiB));
    await client.ended();
    expect(host.arrived[0]?.complete).toBe(true);
  });

  test.each([
    ['more than 64 MiB of it come', async () => undefined, 65],
    ['nothing of it comes for 20 seconds', (host: Host) => host.pass(20), 0],
  ])('that is refused ends its connection when %s', async (_, wait, mebibytes) => {
    const host = await clockedHost([echo]);
    const client = await begin(host, head('POST', '/nowhere', 100 * MiB));
    await client.received('\r\n\r\n');
    for (let sent = 0; sent < mebibytes; sent++) client.send('x'.repeat(MiB));
    await until(() => (host.arrived[0]?.socket.bytesRead ?? 0) >= mebibytes * MiB);
    await wait(host);
    await host.pass(0);
    await client.ended();
    expect(host.arrived[0]?.complete).toBe(false);
  });

  test('is taken from who may write: a text of 1.2 MB', async () => {
    const host = await clockedHost([await contentEndpoint(testService, new URL(ORIGIN))]);
    const body = JSON.stringify({ title: 'Long', content: 'word '.repeat(240_000) });
    const lines = ['Content-Type: application/json', 'Connection: close', await author()];
    const client = await begin(host, `${head('POST', '/wp-json/wp/v2/posts', body.length, ...lines)}${body}`);
    expect(await client.ended()).toMatch(/^HTTP\/1\.1 201 /);
  });

  test('is 413 where its text, made safe, is more than a record holds', async () => {
    const host = await clockedHost([await contentEndpoint(testService, new URL(ORIGIN))]);
    const body = JSON.stringify({ title: 'Long', content: '&'.repeat(3_500_000) });
    const lines = ['Content-Type: application/json', 'Connection: close', await author()];
    const client = await begin(host, `${head('POST', '/wp-json/wp/v2/posts', body.length, ...lines)}${body}`);
    const answer = await client.ended();
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('The content is too large');
  });
});

describe('a client that asks before it sends a body (Expect: 100-continue)', () => {
  const asking = async (key: string, length = 16) => {
    const host = await clockedHost([await accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), new URL(ORIGIN))]);
    const lines = ['Expect: 100-continue', 'Content-Type: application/json', `Service-Api-Key: ${key}`];
    return begin(host, head('POST', '/api/v2/groups', length, ...lines));
  };

  test('is answered 100 Continue once it is known to be allowed', async () => {
    const client = await asking((await account()).api_key);
    expect(await client.received('\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    client.send('{"name": "North"}'.replace(' ', ''));
    const answer = await client.received('"North"');
    expect(answer).toContain('HTTP/1.1 201 Created\r\n');
    expect(answer).not.toMatch(/\r\nconnection: close\r\n/i);
  });

  test('is refused before it sends anything', async () => {
    const answer = await (await asking('none')).ended();
    expect(answer).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  });

  test('is refused a body that would be too large', async () => {
    const answer = await (await asking((await account()).api_key, MiB + 1)).ended();
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  });
});

test('500 slow connections keep nobody else waiting, take little memory, and end', async () => {
  const host = await clockedHost([echo]);
  const memory = (): number => process.memoryUsage().rss;
  const half = head('POST', '/echo', MiB, 'Content-Type: application/json') + 'x'.repeat(1000);
  const before = memory();
  const slow: RawClient[] = [];
  for (let opened = 0; opened < 500; opened++) {
    const client = await connectTls(host.port);
    client.send(half);
    slow.push(client);
  }
  await until(() => host.arrived.length === 500);
  expect((memory() - before) / 500).toBeLessThan(512 * 1024);

  const client = await begin(
    host,
    `${head('POST', '/echo', 9, 'Content-Type: application/json')}{"a":"me"}`.replace('9', '10'),
  );
  expect(await client.received('{"a":"me"}')).toMatch(/^HTTP\/1\.1 200 /);

  await host.pass(20);
  const answers = await Promise.all(slow.map((one) => one.ended()));
  expect(new Set(answers.map((answer) => answer.slice(0, 'HTTP/1.1 408'.length)))).toEqual(new Set(['HTTP/1.1 408']));
});
