import https from 'node:https';
import tls from 'node:tls';

import { describe, expect, onTestFinished, test } from 'vitest';

import { connectPlain, connectTls } from '../../clients/raw-client.ts';
import { endpointOf, listen, testCertificate, testHost } from '../../hosts/test-host.ts';

const GET = 'GET /thing HTTP/1.1\r\nHost: localhost\r\n';
const REJECTION = '{"errors":"HTTPS is required"}';
const endpoint = endpointOf((app) => {
  app.get('/thing', async ({ protocol }) => ({ protocol }));
  app.post('/thing', async ({ body }) => body);
});

describe('by TLS', () => {
  test('a client that trusts the authority is served', async () => {
    const { app } = await testHost([endpoint]);
    const port = await listen(app);
    const { ca } = await testCertificate();
    const body = await new Promise<string>((resolve, reject) => {
      https
        .get({ host: 'localhost', port, path: '/thing', ca, family: 4 }, (answer) => {
          answer.setEncoding('utf8').once('data', resolve);
        })
        .once('error', reject);
    });
    expect(body).toBe('{"protocol":"https"}');
  });

  test.each([
    ['ECDHE-ECDSA-AES128-GCM-SHA256', true],
    ['ECDHE-ECDSA-CHACHA20-POLY1305', true],
    ['ECDHE-ECDSA-AES128-SHA', false],
    ['ECDHE-ECDSA-AES256-SHA384', false],
    ['AES128-SHA256', false],
    ['AES128-GCM-SHA256', false],
  ])('TLS 1.2 with %s is accepted: %s', async (ciphers, isAccepted) => {
    const { app } = await testHost([endpoint]);
    const { ca } = await testCertificate();
    const port = await listen(app);
    const options = { host: '127.0.0.1', servername: 'localhost', port, ca, ciphers, maxVersion: 'TLSv1.2' } as const;
    const found = await new Promise((resolve) => {
      const socket = tls.connect(options, () => resolve(socket.getCipher().name)).once('error', () => resolve(null));
      onTestFinished(() => void socket.destroy());
    });
    expect(found).toBe(isAccepted ? ciphers : null);
  });

  test('many requests follow each other on one connection, bodies included', async () => {
    const { app } = await testHost([endpoint]);
    const client = await connectTls(await listen(app));
    client.send(`${GET}\r\n`);
    await client.received('{"protocol":"https"}');
    const body = JSON.stringify({ text: 'x'.repeat(300_000) });
    client.send(`POST /thing HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`);
    client.send(`Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
    expect(await client.ended()).toContain(body);
  });

  test('a request without Host is 400', async () => {
    const { app } = await testHost([endpoint]);
    const client = await connectTls(await listen(app));
    client.send('GET /thing HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(await client.ended()).toContain('{"errors":"The Host header must name a host"}');
  });

  test('what is no HTTP is 400 with a request id', async () => {
    const { app } = await testHost([endpoint]);
    const client = await connectTls(await listen(app));
    client.send('scribble\r\n\r\n');
    const answer = await client.ended();
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(answer).toContain('{"errors":"The request is not HTTP/1.1"}');
  });

  test('what is no HTTP is answered, however much of it follows', async () => {
    const { app } = await testHost([endpoint]);
    const port = await listen(app);
    for (const garbage of ['no http\r\n\r\n', 'GET / HTTP/1.1\r\nTransfer-Encoding: chunked, identity\r\n\r\n']) {
      const client = await connectTls(port);
      client.send(garbage + 'x'.repeat(100_000));
      expect(await client.ended()).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  test('what is no HTTP behind a request is answered after it', async () => {
    const { app } = await testHost([endpoint]);
    const client = await connectTls(await listen(app));
    client.send(`${GET}\r\nno http\r\n\r\n${'x'.repeat(100_000)}`);
    expect(await client.ended()).toMatch(/^HTTP\/1\.1 200 .*"protocol":"https".*HTTP\/1\.1 400 /s);
  });

  test('a body that is no HTTP is answered in the place of its request', async () => {
    const { app } = await testHost([endpoint]);
    const client = await connectTls(await listen(app));
    client.send('POST /thing HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
    client.send('Transfer-Encoding: chunked\r\n\r\nx\r\n\r\n');
    expect(await client.ended()).toMatch(/^HTTP\/1\.1 400 .*The request is not HTTP/s);
  });

  test('headers that are too large are 431', async () => {
    const { app } = await testHost([endpoint]);
    const client = await connectTls(await listen(app));
    client.send(`${GET}Cookie: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(await client.ended()).toContain('{"errors":"The headers are too large"}');
  });
});

describe('by plain HTTP on the same port', () => {
  test.each([`${GET}\r\n`, 'GET /nowhere HTTP/1.0\r\n\r\n', 'POST /thing HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc'])(
    '%j is 400 with a request id, and no redirect',
    async (request) => {
      const { app } = await testHost([endpoint]);
      const client = await connectPlain(await listen(app));
      client.send(request);
      const answer = await client.ended();
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}\r\n/i);
      expect(answer.endsWith(REJECTION)).toBe(true);
      expect(answer).not.toMatch(/location:/i);
    },
  );

  test('what is no HTTP is answered the same', async () => {
    const { app } = await testHost([endpoint]);
    const client = await connectPlain(await listen(app));
    client.send('scribble\r\n\r\n');
    expect(await client.ended()).toContain(REJECTION);
  });

  test('nobody is believed to have come by HTTPS but a trusted proxy', async () => {
    const { app } = await testHost([endpoint]);
    const client = await connectPlain(await listen(app));
    client.send(`${GET}X-Forwarded-Proto: https\r\n\r\n`);
    expect(await client.ended()).toContain(REJECTION);
  });

  test('a trusted proxy is served for clients that came by HTTPS, and for no others', async () => {
    const { app } = await testHost([endpoint], { proxies: '127.0.0.1' });
    const port = await listen(app);
    const answers = ['X-Forwarded-Proto: https\r\n', 'X-Forwarded-Proto: http\r\n', ''].map(async (header) => {
      const client = await connectPlain(port);
      client.send(`${GET}${header}Connection: close\r\n\r\n`);
      return client.ended();
    });
    const [served, ...refused] = await Promise.all(answers);
    expect(served).toContain('{"protocol":"https"}');
    expect(refused.map((answer) => answer.endsWith(REJECTION))).toEqual([true, true]);
  });
});

test('a connection that the client ends leaves nothing behind', async () => {
  const { app } = await testHost([endpoint]);
  const port = await listen(app);
  for (const connect of [connectTls, connectPlain]) {
    const client = await connect(port);
    client.send(`${GET}Connection: close\r\n\r\n`);
    await client.ended();
  }
  const open = await new Promise<number>((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
  expect(open).toBe(0);
});
