import { connect as connectHttp2, constants } from 'node:http2';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import tls from 'node:tls';

import { describe, expect, onTestFinished, test } from 'vitest';

import { RequestTimeouts, type RequestTimeoutLimits } from '../../../http/requests/request-timeouts.ts';
import { connectTls } from '../../clients/raw-client.ts';
import { signal } from '../../processes/signal.ts';
import { endpointOf, listen, testCertificate, testHost } from '../../hosts/test-host.ts';

const MiB = 1024 * 1024;
/** More than the sockets of a machine hold for a client that does not read. */
const LARGE = Buffer.alloc(64 * MiB, 'x');
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** A host whose clock a test turns. `/slow` answers when the test says so; `/events` sends one event, and never ends. */
async function clockedHost(limits: Partial<RequestTimeoutLimits> = {}) {
  let now = 0;
  const release = signal();
  const asked: string[] = [];
  const endpoint = endpointOf((app) => {
    app.addHook('onRequest', async ({ url }) => void asked.push(url));
    app.get('/large', async () => LARGE);
    app.get('/pieces', async () => Readable.from(Array.from({ length: 4096 }, () => LARGE.subarray(0, 16 * 1024))));
    app.get('/events', async () => {
      const events = new Readable({ read: () => undefined });
      events.push('event');
      return events;
    });
    app.get('/slow', async () => {
      await release.given;
      return 'slow';
    });
  });
  const timeouts = new RequestTimeouts({ checkMs: 10, pingMs: Number.POSITIVE_INFINITY, ...limits }, () => now);
  const { app } = await testHost([endpoint], { timeouts });
  const port = await listen(app);
  let arrived = 0;
  app.server.on('request', () => void arrived++);
  const connections = new Map<number | undefined, Socket>();
  app.server.on('connection', (socket) => void connections.set(socket.remotePort, socket));
  return {
    port,
    asked,
    /** Returns true if the host has ended a connection, which a client that reads nothing does not see. */
    hasEnded: ({ localPort }: Socket) => connections.get(localPort)?.destroyed === true,
    /** Number of requests whose headers have been read. */
    arrived: () => arrived,
    release: release.give,
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}

/** A connection that sends something and reads nothing unless a test does. */
async function silentClient(
  { port, hasEnded }: Pick<Awaited<ReturnType<typeof clockedHost>>, 'port' | 'hasEnded'>,
  sent: string | Buffer,
  protocol = 'http/1.1',
) {
  const { ca } = await testCertificate();
  const trust = { servername: 'localhost', ca, ALPNProtocols: [protocol] };
  const socket = tls.connect({ port, host: '127.0.0.1', ...trust });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  socket.pause().write(sent);
  return { socket, isOver: () => hasEnded(socket) };
}

/** Frames of a client that opens the largest windows and asks for a path (RFC 9113, sections 3.4 and 4.1; RFC 7541, section 6.2.2). */
function http2Request(path: string): Buffer {
  const frame = (type: number, flags: number, stream: number, payload: Buffer): Buffer => {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head.writeUInt8(type, 3);
    head.writeUInt8(flags, 4);
    head.writeUInt32BE(stream, 5);
    return Buffer.concat([head, payload]);
  };
  const text = (value: string): Buffer => Buffer.from([value.length, ...Buffer.from(value)]);
  const fields = [Buffer.from([0x82, 0x87, 0x04]), text(path), Buffer.from([0x01]), text('localhost')];
  return Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frame(4, 0, 0, Buffer.from('00047fffffff', 'hex')),
    frame(8, 0, 0, Buffer.from('7fff0000', 'hex')),
    frame(1, 5, 1, Buffer.concat(fields)),
  ]);
}

/** A request by HTTP/2 whose answer is not read. */
async function silentStream(port: number, path: string) {
  const { ca } = await testCertificate();
  const session = connectHttp2(`https://localhost:${port}`, { ca });
  session.on('error', () => undefined);
  onTestFinished(() => session.destroy());
  const stream = session.request({ ':path': path }).pause();
  stream.on('error', () => undefined);
  await new Promise((resolve) => stream.once('response', resolve));
  return { session, stream };
}

/** Lets time pass, a second at a time, until something has happened, and returns the seconds. */
async function secondsUntil(happened: () => boolean, pass: (seconds: number) => void): Promise<number> {
  for (let seconds = 0; ; seconds++) {
    if (happened()) return seconds;
    pass(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Reads that many bytes more, and then nothing. */
async function take(socket: tls.TLSSocket, bytes: number): Promise<void> {
  const { bytesRead } = socket;
  while (socket.bytesRead < bytesRead + bytes) {
    if (socket.read() === null) await new Promise((resolve) => socket.once('readable', resolve));
  }
}

describe('an answer that its client does not take', () => {
  test.each(['/large', '/pieces'])('ends after 30 seconds, by HTTP/1.1: %s', async (path) => {
    const host = await clockedHost();
    const { isOver } = await silentClient(host, get(path));
    expect(await secondsUntil(isOver, host.pass)).toBeGreaterThanOrEqual(30);
  });

  test('goes on while some of it is taken, and a stream goes on that has nothing to send', async () => {
    const host = await clockedHost();
    const idle = await connectTls(host.port);
    idle.send(get('/events'));
    await idle.received('event');
    const [slow, silent] = [await silentClient(host, get('/large')), await silentClient(host, get('/large'))];
    for (let round = 0; round < 3; round++) {
      await take(slow.socket, 15 * MiB);
      host.pass(20);
    }
    await expect.poll(() => silent.isOver()).toBe(true);
    expect(slow.isOver()).toBe(false);
    let isIdleOver = false;
    void idle.ended().then(() => (isIdleOver = true));
    await secondsUntil(slow.isOver, host.pass);
    expect(isIdleOver).toBe(false);
    idle.leave();
  });

  test('ends alone by HTTP/2, and others of its connection go on', async () => {
    const host = await clockedHost();
    const { session, stream } = await silentStream(host.port, '/large');
    expect(await secondsUntil(() => stream.closed, host.pass)).toBeGreaterThanOrEqual(30);
    expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
    host.release();
    const other = session.request({ ':path': '/slow' }).setEncoding('utf8');
    expect(await other.toArray()).toEqual(['slow']);
  });

  test('ends with its connection by HTTP/2 where nothing is read of that', async () => {
    const host = await clockedHost();
    const { isOver } = await silentClient(host, http2Request('/large'), 'h2');
    expect(await secondsUntil(isOver, host.pass)).toBeGreaterThanOrEqual(30);
  });

  test('ends earlier where too many wait, the oldest first', async () => {
    const host = await clockedHost({ maxStalled: 2 });
    const clients: Awaited<ReturnType<typeof silentClient>>[] = [];
    for (let opened = 0; opened < 4; opened++) clients.push(await silentClient(host, get('/large')));
    const over = () => clients.filter(({ isOver }) => isOver()).length;
    await expect.poll(() => over()).toBe(2);
    host.pass(29);
    await take(clients.find(({ isOver }) => !isOver())?.socket ?? expect.unreachable(), MiB);
    expect(over()).toBe(2);
  });

  test('holds no more of it in memory than a piece, however many requests are sent', async () => {
    const host = await clockedHost();
    const memory = (): number => process.memoryUsage().rss;
    const before = memory();
    for (let opened = 0; opened < 150; opened++) await silentClient(host, get('/large').repeat(6));
    await expect.poll(() => host.asked.length).toBeGreaterThanOrEqual(150);
    expect((memory() - before) / 150).toBeLessThan(512 * 1024);
  });
});

describe('a stream by HTTP/2 of which nothing is to be sent', () => {
  test('ends with its connection a minute after its client is gone', async () => {
    const host = await clockedHost({ pingMs: 60_000 });
    const { isOver } = await silentClient(host, http2Request('/events'), 'h2');
    await expect.poll(() => host.asked).toEqual(['/events']);
    expect(await secondsUntil(isOver, host.pass)).toBeGreaterThanOrEqual(60);
  });

  test('goes on as long as its client answers', async () => {
    const host = await clockedHost({ pingMs: 60_000 });
    const { session, stream } = await silentStream(host.port, '/events');
    for (let pings = 0; pings < 5; pings++) {
      const pinged = new Promise((resolve) => session.once('ping', resolve));
      host.pass(31);
      await pinged;
      // The host has read its answer before this one.
      await new Promise((resolve) => session.ping(resolve));
    }
    expect([stream.closed, session.closed]).toEqual([false, false]);
  });
});

describe('requests that are sent before others are answered', () => {
  test('are answered one after another', async () => {
    const host = await clockedHost();
    const client = await connectTls(host.port);
    client.send(get('/slow?1') + get('/slow?2') + get('/events'));
    await expect.poll(() => host.asked).not.toEqual([]);
    expect(host.asked).toEqual(['/slow?1']);
    host.release();
    expect((await client.received('event')).match(/HTTP\/1\.1 200/g)).toHaveLength(3);
    expect(host.asked).toEqual(['/slow?1', '/slow?2', '/events']);
    client.leave();
  });

  test('are not read while more than 16 wait', async () => {
    const host = await clockedHost();
    const client = await connectTls(host.port);
    client.send(get('/slow').repeat(3000));
    await expect.poll(() => host.asked).toHaveLength(1);
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(host.arrived()).toBeLessThan(1000);
    host.release();
    await expect.poll(() => host.asked).toHaveLength(3000);
  });
});
