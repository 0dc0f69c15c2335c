import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { askCommand } from '../../processes/run-command.ts';
import {
  outcomeOf,
  readyService,
  serveProcess,
  spawnWaybridge,
  spawnWithDescriptors,
} from '../../processes/waybridge-process.ts';
import { accountFolder } from '../../services/account-folder.ts';
import { demoFolder } from '../../services/demo-folder.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

const HAS_PRLIMIT = spawnSync('prlimit', ['--version']).status === 0;
const ADVICE = 'raise the number of files that the process may open (ulimit -n, or LimitNOFILE of systemd)';
const POSITION = JSON.stringify({ time: '2026-03-01T12:00:00Z', lat: 53.07, lon: 8.8, car: 'Van' });

/** Limits the files that a process may open from now on; what it has open stays. */
function limitFiles(pid: number | undefined, limit: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`]);
}

test('a start with few of them warns, connections beyond their room are refused with a warning, the others served', async () => {
  const settings = { DATA_DIR: await temporaryFolder(), TRUSTED_PROXIES: '127.0.0.1' };
  const child = spawnWithDescriptors(128, ['serve', '--no-demo'], { PORT: '0', ...settings });
  let log = '';
  child.stderr.on('data', (text) => {
    log += String(text);
  });
  const service = await readyService(child, settings);
  onTestFinished(async () => void (await service.end('SIGKILL')));
  await expect.poll(() => log).toContain(ADVICE);
  const [, room] = /only 128 file descriptors, enough for (\d+) connections: (.*)"/.exec(log) ?? [];

  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const open = async () => {
    const socket = connect({ port: service.port, host: '127.0.0.1' });
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  // A connection without a request is closed after ten seconds.
  const ask = async (socket: Socket | undefined) => {
    socket?.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n\r\n');
    return socket && String((await once(socket, 'data'))[0]);
  };
  for (let i = 0; i < Number(room); i++) expect(await ask(await open())).toMatch(/^HTTP\/1\.1 200 /);
  expect(log).not.toContain('connections rejected');
  for (let i = 0; i < 20; i++) {
    const refused = await open();
    refused.on('error', () => {});
    if (!refused.destroyed) await once(refused.resume(), 'close');
  }
  await expect.poll(() => log).toContain('connections rejected');
  expect(log.match(/"level":40[^\n]*connections rejected: [^\n]*/g)).toEqual([
    expect.stringContaining(`${room} are open, and 128 file descriptors do not allow more; ${ADVICE}`),
  ]);
  // Those that are served still have what they need.
  expect(await ask(sockets[0])).toMatch(/^HTTP\/1\.1 200 /);
});

// With fewer, Node.js 24 itself does not start.
test.each([24, 30, 45])('a start with %d, which are too few, says what to do', async (limit) => {
  const child = spawnWithDescriptors(limit, ['serve', '--no-demo'], { PORT: '0', DATA_DIR: await temporaryFolder() });
  const { code, stderr } = await outcomeOf(child);
  expect(code).toBe(1);
  // Before it fails, a start that comes so far warns.
  const [last, ...before] = stderr.trim().split('\n').reverse();
  expect(last).toMatch(/^(No more files can be opened|The database file \S+ cannot be opened) /);
  expect(last).toContain(ADVICE);
  for (const line of before) expect(line).toMatch(/^\{"level":40,.*only \d+ file descriptors, /);
});

// The front page reads the keys of the demonstration from their file.
test.skipIf(!HAS_PRLIMIT)(
  'a request that needs one more is 503 with Retry-After, and the log says what to do',
  async () => {
    const DATA_DIR = await demoFolder();
    const service = await serveProcess({ DATA_DIR });
    onTestFinished(async () => void (await service.end('SIGKILL')));
    let log = '';
    service.child.stderr.on('data', (text) => {
      log += String(text);
    });
    const ca = await readFile(join(DATA_DIR, 'tls/ca.pem'), 'utf8');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const ask = () =>
      new Promise<{ status: number | undefined; retryAfter: string | undefined }>((resolve, reject) => {
        const sent = request({ ca, host: 'localhost', family: 4, port: service.port, path: '/', agent });
        sent.on('error', reject).on('response', (answer) => {
          const { statusCode: status, headers } = answer.resume();
          answer.on('end', () => resolve({ status, retryAfter: headers['retry-after'] }));
        });
        sent.end();
      });
    expect((await ask()).status).toBe(200);
    limitFiles(service.child.pid, 3);
    expect(await ask()).toEqual({ status: 503, retryAfter: '10' });
    limitFiles(service.child.pid, 1024);
    expect((await ask()).status).toBe(200);
    await expect.poll(() => log).toContain(`"msg":"no more file descriptors: ${ADVICE}"`);
  },
);

test.skipIf(!HAS_PRLIMIT)('trips import that cannot open its file says what to do, and goes on with more', async () => {
  const folder = await temporaryFolder();
  const { DATA_DIR, account } = await accountFolder();
  const settings = { DATA_DIR };
  const first = join(folder, 'first.ndjson');
  const second = join(folder, 'second.ndjson');
  execFileSync('mkfifo', [first]);
  await writeFile(second, POSITION);
  const target = ['--account', account, '--create-vehicles', '--map', 'vehicle=car'];
  const child = spawnWaybridge(['trips', 'import', first, second, ...target], settings);
  // A pipe has been opened for writing when the program has opened it for reading: it has started by then.
  const pipe = createWriteStream(first);
  await once(pipe, 'open');
  // The program may end before it reads from the pipe.
  pipe.on('error', () => undefined);
  limitFiles(child.pid, 3);
  pipe.end(POSITION);
  const { code, stderr } = await outcomeOf(child);
  expect([code, stderr]).toEqual([1, `No more files can be opened (EMFILE: too many open files); ${ADVICE}\n`]);
  const again = await askCommand(['trips', 'import', second, ...target], settings);
  expect(again).toMatchObject({ failures: [] });
});
