import { randomBytes } from 'node:crypto';

import { onTestFinished, test, expect } from 'vitest';

import type { Endpoint } from '../../../http/endpoint.ts';
import { contentEndpoint } from '../../../content/rest/content-endpoint.ts';
import { CLIENT_GONE } from '../../../http/requests/client-gone.ts';
import { createLog } from '../../../http/observing/logs.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { connectTls } from '../../clients/raw-client.ts';
import { endpointOf, listen, testHost } from '../../hosts/test-host.ts';

useDatabase();

/** A listening host whose log can be waited for. */
async function watchedHost(endpoint: Endpoint) {
  const entries: { level: number; msg: string }[] = [];
  let look = (): void => undefined;
  const write = (line: string): void => {
    entries.push(JSON.parse(line));
    look();
  };
  const { app } = await testHost([endpoint], { log: createLog('debug', { write }) });
  /** Resolves when each message has been logged so many times. */
  const logged = (counts: Readonly<Record<string, number>>): Promise<void> =>
    new Promise((resolve) => {
      look = () => {
        const isThere = ([text, count]: [string, number]) => entries.filter(({ msg }) => msg === text).length >= count;
        if (Object.entries(counts).every(isThere)) resolve();
      };
      look();
    });
  onTestFinished(() => {
    expect(entries.filter(({ level }) => level > 30)).toEqual([]);
    // At the level of debugging: it is nothing that an operator could mend.
    expect(new Set(entries.filter(({ msg }) => msg === CLIENT_GONE).map(({ level }) => level))).toEqual(new Set([20]));
  });
  return { port: await listen(app), logged };
}

const HEAD = 'Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 100';

test.each(['GET /wp-json/', 'GET /wp-json/wp/v2/posts'])(
  'a client that leaves in the middle of its body, %s, is no fault of the content interface',
  async (start) => {
    const { port, logged } = await watchedHost(await contentEndpoint(testService, new URL('https://localhost')));
    const client = await connectTls(port);
    client.send(`${start} HTTP/1.1\r\n${HEAD}\r\n\r\n{"title":`);
    // What is answered on another connection afterwards shows that the head of the first has been read.
    await anotherExchange(port);
    client.leave();
    await logged({ 'client went away': 1 });
  },
);

test('a client that leaves in the middle of its answer is no fault', async () => {
  const body = { text: randomBytes(16 * 2 ** 20).toString('base64') };
  const { port, logged } = await watchedHost(endpointOf((app) => void app.get('/large', async () => body)));
  for (const encoding of ['gzip', 'identity']) {
    const client = await connectTls(port);
    client.send(`GET /large HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: ${encoding}\r\n\r\n`);
    await client.received('HTTP/1.1 200');
    client.leave();
  }
  await logged({ 'client went away': 1 });
});

/** Asks for something and waits for the answer on another connection. */
async function anotherExchange(port: number): Promise<void> {
  const client = await connectTls(port);
  client.send('GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await client.ended();
}
