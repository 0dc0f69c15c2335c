import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, onTestFinished, test } from 'vitest';

import type { HostOptions } from '../../../http/host.ts';
import { RequestTimeouts } from '../../../http/requests/request-timeouts.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { signal } from '../../processes/signal.ts';
import { endpointOf, listen, testCertificate, testHost } from '../../hosts/test-host.ts';

/** A host whose route `/slow` answers when the test says so. */
async function hostWith(options: Partial<HostOptions> = {}) {
  const [release, arrived] = [signal(), signal()];
  let waiting = 0;
  const failures: string[] = [];
  const endpoint = endpointOf((app) => {
    app.get('/thing', async ({ protocol, host, ip, raw: { headers } }) => ({ protocol, host, ip, headers }));
    app.get('/large', async () => 'x'.repeat(300_000));
    app.post('/thing', { bodyLimit: 400_000 }, async ({ body }) => body);
    app.get('/page', async (_request, reply) =>
      reply
        .type('text/html')
        .header('Content-Security-Policy', "default-src 'self'")
        .send('<!doctype html><title>Page</title>'),
    );
    app.get('/slow', async (_request, reply) => {
      waiting += 1;
      arrived.give();
      await release.given;
      return reply.header('Connection', 'close').send({ slow: true });
    });
    app.addHook('onError', async (_request, _reply, { message }) => void failures.push(message));
  });
  const { app, lines } = await testHost([endpoint], options);
  const port = await listen(app);
  return { app, port, lines, failures, release: release.give, arrived: arrived.given, waiting: () => waiting };
}

/** A connection that speaks HTTP/2; its faults are seen by the requests on it. */
async function session(port: number): Promise<ClientHttp2Session> {
  const { ca } = await testCertificate();
  const opened = connect(`https://localhost:${port}`, { ca });
  opened.on('error', () => undefined);
  onTestFinished(() => opened.destroy());
  return opened;
}

function answerOf(stream: ClientHttp2Stream): Promise<{ headers: Record<string, unknown>; body: string }> {
  let [headers, body]: [Record<string, unknown> | null, string] = [null, ''];
  stream.setEncoding('utf8').on('data', (piece) => {
    body += piece;
  });
  return new Promise((resolve, reject) => {
    stream.once('error', reject).once('response', (received) => {
      headers = received;
    });
    const end = () => (headers === null ? reject(new Error('no answer')) : resolve({ headers, body }));
    stream.once('end', end).once('close', end);
  });
}

function get(opened: ClientHttp2Session, path: string, headers: OutgoingHttpHeaders = {}) {
  return answerOf(opened.request({ ':path': path, ...headers }, { endStream: true }));
}

function post(opened: ClientHttp2Session, path: string, headers: OutgoingHttpHeaders = {}): ClientHttp2Stream {
  return opened.request({ ':method': 'POST', ':path': path, 'content-type': 'application/json', ...headers });
}

describe('by HTTP/2', () => {
  test('a request is as one by HTTP/1.1, and its answer has no header of connections', async () => {
    const host = await hostWith();
    host.release();
    const opened = await session(host.port);
    const { headers, body } = await get(opened, '/thing', { cookie: ['a=1', 'b=2'], 'x-forwarded-for': '1.2.3.4' });
    expect(headers).toMatchObject({ ':status': 200, 'x-content-type-options': 'nosniff' });
    expect(JSON.parse(body)).toEqual({
      ...{ protocol: 'https', host: `localhost:${host.port}`, ip: '127.0.0.1' },
      headers: { cookie: 'a=1; b=2', host: `localhost:${host.port}` },
    });
    expect((await get(opened, '/slow')).headers).not.toHaveProperty('connection');
    expect((await get(opened, '/large')).body).toHaveLength(300_000);
    expect((await get(opened, '/large', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
    await expect.poll(() => host.lines.filter((line) => line.includes('"client":"127.0.0.1"'))).toHaveLength(4);
  });

  test('a body comes with or without its length, and one that is too large is 413', async () => {
    const { port } = await hostWith();
    const opened = await session(port);
    const body = JSON.stringify({ text: 'x'.repeat(300_000) });
    for (const headers of [{}, { 'content-length': String(body.length) }]) {
      const stream = post(opened, '/thing', headers);
      stream.end(body);
      expect((await answerOf(stream)).body).toBe(body);
    }
    for (const headers of [{}, { 'content-length': '2000000' }]) {
      const stream = post(opened, '/thing', headers);
      stream.write('x'.repeat(500_000));
      expect((await answerOf(stream)).headers[':status']).toBe(413);
      expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
    }
    const waiting = post(opened, '/thing', { expect: '100-continue' });
    waiting.once('continue', () => waiting.end('{"told":1}'));
    expect((await answerOf(waiting)).body).toBe('{"told":1}');
  });

  test.each<[what: string, OutgoingHttpHeaders, number, string]>([
    ['headers that are too large', { cookie: 'x'.repeat(20_000) }, 431, 'The headers are too large'],
    [
      'a Host that is not the authority',
      { ':authority': 'localhost', host: 'other.example' },
      400,
      'The Host header must name a host',
    ],
    ['OPTIONS *', { ':method': 'OPTIONS', ':path': '*' }, 204, ''],
  ])('%s', async (_what, headers, status, message) => {
    const { port } = await hostWith();
    const answer = await get(await session(port), '/thing', headers);
    expect(answer.headers).toMatchObject({ ':status': status, 'x-request-id': expect.any(String) });
    expect(answer.body).toContain(message);
  });

  test('a body that takes 20 seconds is 408, and a connection without a request ends after 10, a used one after 72', async () => {
    let now = 0;
    const host = await hostWith({ timeouts: new RequestTimeouts({ checkMs: 20 }, () => now) });
    const [unused, used] = [await session(host.port), await session(host.port)];
    const closed = [unused, used].map((opened) => new Promise((resolve) => opened.once('close', resolve)));
    await Promise.all([unused, used].map((opened) => new Promise((resolve) => opened.once('remoteSettings', resolve))));
    const late = post(used, '/thing');
    late.write('{');
    const [answered, slow] = [answerOf(late), get(used, '/slow')];
    await host.arrived;
    now += 10_000;
    await closed[0];
    now += 10_000;
    expect((await answered).headers[':status']).toBe(408);
    host.release();
    expect((await slow).body).toBe('{"slow":true}');
    now += 72_000;
    await closed[1];
  });

  test('a client that goes away amid its body is no fault of the service', async () => {
    const { port, failures, lines } = await hostWith();
    const stream = post(await session(port), '/thing');
    stream.on('error', () => undefined);
    stream.write('{');
    await expect.poll(() => stream.id).toBeDefined();
    stream.close(constants.NGHTTP2_CANCEL);
    await expect.poll(() => failures).not.toEqual([]);
    expect(lines.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
  });

  test('streams that are opened only to be reset end the connection', async () => {
    const host = await hostWith();
    const opened = await session(host.port);
    await get(opened, '/thing');
    const ended = new Promise((resolve) => opened.once('close', resolve));
    for (let batch = 1; batch <= 5; batch++) {
      const streams = Array.from({ length: 50 }, () =>
        opened.request({ ':path': '/slow' }).on('error', () => undefined),
      );
      await expect.poll(() => host.waiting()).toBe(50 * batch);
      for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
    }
    await ended;
  });

  test('at most 100 requests of a connection are answered at a time', async () => {
    const host = await hostWith();
    const opened = await session(host.port);
    const answers = Array.from({ length: 130 }, () => get(opened, '/slow'));
    await expect.poll(() => host.waiting()).toBe(100);
    host.release();
    expect(new Set((await Promise.all(answers)).map(({ headers }) => headers[':status']))).toEqual(new Set([200]));
  });

  test('a close says goodbye, answers what is under way, and ends connections without a request', async () => {
    const host = await hostWith();
    const [opened, unused] = [await session(host.port), await session(host.port)];
    await new Promise((resolve) => unused.once('remoteSettings', resolve));
    const [goodbye, ended] = ['goaway', 'close'].map((event) => new Promise((resolve) => opened.once(event, resolve)));
    const answered = get(opened, '/slow');
    await host.arrived;
    const closed = host.app.close();
    await goodbye;
    host.release();
    expect((await answered).body).toBe('{"slow":true}');
    await Promise.all([ended, closed]);
    expect(unused.closed).toBe(true);
  });

  test('curl speaks it', async () => {
    const { port } = await hostWith();
    const folder = await mkdtemp(join(tmpdir(), 'waybridge-curl-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'ca.pem'), (await testCertificate()).ca);
    const format = ['-o', '/dev/null', '-w', '%{http_version} %{http_code}'];
    const args = [
      ...['-s', '--http2', '--cacert', join(folder, 'ca.pem')],
      ...format,
      `https://localhost:${port}/thing`,
    ];
    expect((await promisify(execFile)('curl', args)).stdout).toBe('2 200');
  });

  test('a page has more than six requests under way at a host', async () => {
    const host = await hostWith();
    const browser = await sharedBrowser();
    onTestFinished(() => closePages(browser));
    const page = await (await browser.newContext()).newPage();
    await page.goto(`https://localhost:${host.port}/page`);
    const answers = page.evaluate(`Promise.all(Array.from({ length: 20 }, (_, at) =>
      fetch('/slow?' + at).then((answer) => answer.json())))`);
    await expect.poll(() => host.waiting()).toBe(20);
    host.release();
    expect(await answers).toHaveLength(20);
  });
});
