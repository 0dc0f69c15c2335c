import { Readable } from 'node:stream';

import { describe, expect, test, vi } from 'vitest';

import { createLog } from '../../../http/observing/logs.ts';
import { createShutdown } from '../../../server/start/shutdown.ts';
import { connectPlain, connectTls } from '../../clients/raw-client.ts';
import { signal } from '../../processes/signal.ts';
import { endpointOf, listen, testHost } from '../../hosts/test-host.ts';

const GET = 'GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** An endpoint whose one route answers when the test says so. */
function slowEndpoint() {
  const arrived = signal();
  const release = signal();
  const closing = signal();
  const endpoint = endpointOf((app) => {
    app.get('/slow', async () => {
      arrived.give();
      await release.given;
      return { done: true };
    });
    app.addHook('preClose', async () => closing.give());
    app.get('/quick', async () => ({ quick: true }));
  });
  return { endpoint, arrived: arrived.given, closing: closing.given, release: release.give };
}

describe('closing the host', () => {
  test('answers the request in flight and ends its connection', async () => {
    const { endpoint, arrived, closing, release } = slowEndpoint();
    const { app } = await testHost([endpoint]);
    const client = await connectTls(await listen(app));
    client.send(GET);
    await arrived;
    const closed = app.close();
    await closing;
    release();
    const answer = await client.ended();
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(answer).toContain('{"done":true}');
    expect(answer).toMatch(/connection: close/i);
    await closed;
  });

  test('ends connections that are idle, silent, in their handshake, or were never used', async () => {
    const { endpoint } = slowEndpoint();
    const { app } = await testHost([endpoint]);
    const port = await listen(app);
    const unused = await connectTls(port);
    // The server has finished the handshake above when it answers a request that was sent later.
    const idle = await connectTls(port);
    const [silent, greeting] = await Promise.all([connectPlain(port), connectPlain(port)]);
    greeting.send('\x16\x03\x01');
    idle.send('GET /quick HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await idle.received('{"quick":true}');
    const started = performance.now();
    await app.close();
    await Promise.all([idle.ended(), unused.ended(), silent.ended(), greeting.ended()]);
    // Sooner than requests that take long are cut off.
    expect(performance.now() - started).toBeLessThan(4000);
  });

  test('sends an answer that is complete, and not yet sent when the port closes', async () => {
    const endpoint = endpointOf((app) => {
      app.get('/last', async (_request, reply) => {
        reply.raw.once('prefinish', () => app.server.close());
        return Readable.from(['first', 'last']);
      });
    });
    const { app } = await testHost([endpoint]);
    const client = await connectTls(await listen(app));
    client.send('GET /last HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await client.received('first\r\n4\r\nlast\r\n0\r\n\r\n');
    await app.close();
    await client.ended();
  });

  test('ends a connection after an answer that had begun', async () => {
    const body = new Readable({ read: () => undefined });
    const closing = signal();
    const endpoint = endpointOf((app) => {
      app.get('/begun', async () => body);
      app.addHook('preClose', async () => closing.give());
    });
    const { app } = await testHost([endpoint]);
    const client = await connectTls(await listen(app));
    client.send('GET /begun HTTP/1.1\r\nHost: localhost\r\n\r\n');
    body.push('first');
    await client.received('first');
    const started = performance.now();
    const closed = app.close();
    await closing.given;
    body.push(null);
    expect(await client.ended()).toMatch(/first\r\n0\r\n\r\n$/);
    await closed;
    // Sooner than requests that take long are cut off.
    expect(performance.now() - started).toBeLessThan(4000);
  });

  test('refuses new connections', async () => {
    const { app } = await testHost([slowEndpoint().endpoint]);
    const port = await listen(app);
    await app.close();
    await expect(connectPlain(port)).rejects.toThrow('ECONNREFUSED');
  });

  test('cuts a request that takes longer than the grace', async () => {
    const { endpoint, arrived } = slowEndpoint();
    const { app } = await testHost([endpoint]);
    const client = await connectTls(await listen(app));
    client.send(GET);
    await arrived;
    const started = performance.now();
    await expect(app.close()).rejects.toThrow('1 requests were cut off');
    expect(await client.ended()).toBe('');
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('shutdown', () => {
  const silent = createLog('silent');

  test('closes the parts one after the other', async () => {
    const order: string[] = [];
    const part = (name: string) => ({
      name,
      close: async () => {
        order.push(`${name} closes`);
        await Promise.resolve();
        order.push(`${name} closed`);
      },
    });
    await createShutdown([part('host'), part('database')], silent)();
    expect(order).toEqual(['host closes', 'host closed', 'database closes', 'database closed']);
  });

  test('closes once, however often it is called', async () => {
    let times = 0;
    const close = async (): Promise<void> => {
      times += 1;
    };
    const stop = createShutdown([{ name: 'host', close }], silent);
    await Promise.all([stop(), stop()]);
    expect(times).toBe(1);
  });

  test('closes the next part when one fails, and logs which', async () => {
    const lines: string[] = [];
    let closed = false;
    const failing = { name: 'host', close: () => Promise.reject(new Error('stuck')) };
    const next = {
      name: 'database',
      close: async () => {
        closed = true;
      },
    };
    const stop = createShutdown([failing, next], createLog('info', { write: (line) => void lines.push(line) }));
    expect(await stop()).toEqual(['host']);
    expect(closed).toBe(true);
    expect(lines.join('')).toContain('host did not close');
  });

  test('gives the last part a second even if the others took all five', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    try {
      const stuck = { name: 'host', close: () => new Promise(() => undefined) };
      const slow = { name: 'database', close: () => new Promise((settle) => setTimeout(settle, 900)) };
      const stopped = createShutdown([stuck, slow], silent)();
      await vi.advanceTimersByTimeAsync(6000);
      expect(await stopped).toEqual(['host']);
    } finally {
      vi.useRealTimers();
    }
  });
});
