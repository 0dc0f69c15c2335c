import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';

import { expect, test } from 'vitest';

import { fullTest } from '../../services/run-size.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { type TwoWorkers, twoWorkers } from '../../processes/two-workers.ts';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Sends some requests, each by another connection. */
async function ask({ client, service }: TwoWorkers, path: string, count: number) {
  const answers = [];
  for (let number = 0; number < count; number++) answers.push(await client(service.url + path));
  return answers.map(({ status }) => status);
}

test('two workers answer on one port; limits and metrics are those of both, and one that is killed is started again', async () => {
  const two = await twoWorkers({ RATE_LIMITS: 'on', RATE_LIMIT_ADDRESS: '20' });
  const { client, service, lines } = two;
  const metrics = async () => (await client(`${service.url}/metrics`)).text;
  expect(await ask(two, '/api/v2/nowhere', 10)).toEqual(Array<number>(10).fill(404));
  const workers = () => lines.filter(({ path }) => path === '/api/v2/nowhere').map(({ worker }) => worker);
  await expect.poll(() => workers().length).toBe(10);
  expect(new Set(workers())).toEqual(new Set([1, 2]));
  const text = await metrics();
  expect(text).toContain('http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 10\n');
  expect(text).toContain('waybridge_workers 2\n');
  expect(text).toMatch(/^waybridge_build_info\{.*\} 1$/m);
  expect(text).toMatch(/^process_start_time_seconds \d+/m);

  const [killed = 0] = two.workers();
  process.kill(killed, 'SIGKILL');
  const death = () => lines.findIndex(({ msg }) => msg === 'a worker ended; it is started again');
  await expect.poll(death).toBeGreaterThan(-1);
  expect(await ask(two, '/readyz', 4)).toEqual([200, 200, 200, 200]);
  const { worker } = lines[death()] ?? {};
  const again = () => lines.slice(death()).find((line) => line.worker === worker && line.msg === 'listening');
  await expect.poll(again).toBeDefined();
  await expect.poll(() => two.workers().length).toBe(2);
  expect(await metrics()).toContain('waybridge_worker_ends_total 1\n');
  expect((await ask(two, '/api/v2/nowhere', 24)).slice(-4)).toEqual(Array<number>(4).fill(429));

  await rm(join(service.settings.DATA_DIR ?? '', 'tls/server.pem'));
  service.child.kill('SIGHUP');
  const renewed = () => lines.filter(({ msg }) => msg === 'the certificate was read again').map((line) => line.worker);
  await expect.poll(() => renewed().toSorted()).toEqual([1, 2]);
});

test('SIGTERM ends all processes once what was asked is answered', async () => {
  const two = await twoWorkers();
  const { service } = two;
  const pids = two.workers();
  const ca = await readFile(join(service.settings.DATA_DIR ?? '', 'tls/ca.pem'), 'utf8');
  const body = JSON.stringify({ query: '{ __typename }' });
  const socket = connect({ ca, port: service.port, host: '127.0.0.1', servername: 'localhost' }).setEncoding('utf8');
  await once(socket, 'secureConnect');
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n` +
      `Content-Length: ${body.length}\r\n\r\n`,
  );
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 100 /);
  const ended = service.end('SIGTERM');
  // The worker that nothing was asked ends first.
  await expect.poll(() => pids.filter(isAlive).length).toBe(1);
  socket.write(body);
  expect(await text(socket)).toContain('{"data":{"__typename":"Query"}}');
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(pids.filter(isAlive)).toEqual([]);
});

test('a second signal ends a service whose workers stand still; they end without it', async () => {
  const two = await twoWorkers();
  const { child } = two.service;
  const workers = two.workers();
  expect(workers).toHaveLength(2);
  for (const pid of workers) process.kill(pid, 'SIGSTOP');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const again = setInterval(() => child.kill('SIGTERM'), 500);
  expect(await ended).toEqual([143, null]);
  clearInterval(again);
  for (const pid of workers) process.kill(pid, 'SIGCONT');
  await expect.poll(() => workers.filter(isAlive)).toEqual([]);
});

fullTest('a worker that cannot be started ends the service with the reason', async () => {
  const documents = await temporaryFolder();
  await writeFile(join(documents, 'good.graphql'), '{ __typename }');
  const two = await twoWorkers({ TRUSTED_DOCUMENTS: documents });
  const { child } = two.service;
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  await writeFile(join(documents, 'bad.graphql'), '{');
  const [killed = 0, other = 0] = two.workers();
  const ended = once(child, 'close');
  process.kill(killed, 'SIGKILL');
  expect(await ended).toEqual([1, null]);
  expect(errors.trim().split('\n').at(-1)).toMatch(/^TRUSTED_DOCUMENTS must have valid documents only; bad\.graphql/);
  expect(isAlive(other)).toBe(false);
});
