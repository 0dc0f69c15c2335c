import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, test } from 'vitest';

import { builtModule } from '../../processes/built-module.ts';
import { serveProcess, spawnWaybridge } from '../../processes/waybridge-process.ts';
import { mongodbProxy } from '../../hosts/mongodb-proxy.ts';
import { connectTls } from '../../clients/raw-client.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

const MODULE = await builtModule('server/start/end-on-signals.ts');

/** A process that ends as the service does, with another `stop`; it is up when this resolves. */
async function process(stop: string) {
  const code = `import { endOnSignals } from ${JSON.stringify(MODULE)};
    endOnSignals(${stop}); setInterval(() => {}, 1000); console.log('up');`;
  const child = spawn(globalThis.process.execPath, ['--input-type=module', '-e', code]);
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  return { child, ended };
}

test.concurrent.each([
  ['everything is closed', 'async () => []', 'SIGTERM', [0, null]],
  ['a part did not close', 'async () => ["database"]', 'SIGTERM', [75, null]],
  ['stopping fails', 'async () => { throw new Error("x"); }', 'SIGINT', [75, null]],
  ['stopping never ends', '() => new Promise(() => {})', 'SIGTERM', [75, null]],
  [
    'the main thread is stuck',
    '() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
    'SIGTERM',
    [null, 'SIGKILL'],
  ],
] as const)('where %s, %s leads to %j', async (_, stop, signal, expected) => {
  const { child, ended } = await process(stop);
  child.kill(signal);
  expect(await ended).toEqual(expected);
});

test('a service whose database has fallen silent ends, and its exit code says what became of requests', async () => {
  const proxy = await mongodbProxy();
  const settings = { MONGODB_URI: proxy.uri };
  const service = await serveProcess({ DATA_DIR: await temporaryFolder(), ...settings }, '--no-demo');
  const received = proxy.hang();
  const client = await connectTls(service.port, false);
  client.send('GET /wp-json/wp/v2/posts HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await received;
  expect(await service.end()).toEqual({ code: 75, signal: null });
  expect(await client.ended()).toBe('');
});

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('a second %s ends the process immediately, with %i', async (signal, code) => {
  const { child, ended } = await process(
    `() => { setTimeout(() => console.log('later'), 500); return new Promise(() => {}); }`,
  );
  child.kill(signal);
  await once(child.stdout, 'data');
  child.kill(signal);
  expect(await ended).toEqual([code, null]);
});

test('a service whose log nobody reads goes on answering, and ends', async () => {
  const child = spawnWaybridge(['serve', '--no-demo'], { PORT: '0', DATA_DIR: await temporaryFolder() });
  const ended = once(child, 'exit');
  let banner = '';
  for await (const chunk of child.stdout) {
    banner += String(chunk);
    if (banner.includes('Ctrl-C ends it')) break;
  }
  const client = await connectTls(Number(/Website +https:\/\/localhost:(\d+)/.exec(banner)?.[1]), false);
  const request = 'GET /api/v2/nowhere HTTP/1.1\r\nHost: localhost\r\n';
  client.send(`${`${request}\r\n`.repeat(2000)}${request}Connection: close\r\n\r\n`);
  expect((await client.ended()).match(/^HTTP\/1\.1 404/gm)).toHaveLength(2001);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
