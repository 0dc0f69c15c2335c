import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { demoFolder } from '../../services/demo-folder.ts';
import { fullTest } from '../../services/run-size.ts';
import { packageVersion } from '../../../http/package-file.ts';
import { askCommand } from '../../processes/run-command.ts';
import { runWaybridge, type ServiceProcess, serveProcess, spawnWaybridge } from '../../processes/waybridge-process.ts';
import { ask } from '../../clients/service-client.ts';

/** Writes of each chunk whether V8 took its stored code. */
const WATCH_CODE = `const vm = require('node:vm');
const { appendFileSync } = require('node:fs');
vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options);
    if (options?.cachedData) appendFileSync(process.env.CODE_FILE, this.cachedDataRejected ? 'rejected\\n' : 'taken\\n');
  }
};`;

let folder: string;
let running: ServiceProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
});
afterEach(async () => {
  await running?.end('SIGKILL');
  running = undefined;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the three printed curl lines work when pasted', async () => {
  running = await serveProcess({ LOG_LEVEL: 'error', DATA_DIR: await demoFolder() });
  const service = running;
  expect(service.banner).toMatch(
    /^ {2}Access token {3}\S+ {2}\(valid for 20 hours; the next start prints a new one\)$/m,
  );
  const lines = service.banner.split('\n').filter((line) => line.startsWith('curl '));
  expect(lines).toHaveLength(3);
  const PATH = `${await curlFolder()}:${process.env.PATH}`;
  const answers = await Promise.all(
    lines.map(async (line) => {
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', line], { env: { PATH } });
      return JSON.parse(stdout);
    }),
  );
  expect(answers).toEqual([
    { devices: expect.arrayContaining([expect.objectContaining({ serial: 'DEMO-1001' })]) },
    { data: { trips: { nodes: [expect.anything(), expect.anything(), expect.anything()] } } },
    { token: expect.any(String), expires_in: 3600, token_type: 'Bearer' },
  ]);
});

test('--json prints one object when the service answers; --no-demo makes no demonstration', async () => {
  const DATA_DIR = join(folder, 'json');
  const child = spawnWaybridge(['serve', '--no-demo', '--json'], { DATA_DIR, PORT: '0', LOG_LEVEL: 'error' });
  try {
    const line = String((await once(child.stdout, 'data'))[0]);
    const { site_url, ...rest } = JSON.parse(line);
    expect(line.endsWith('}\n')).toBe(true);
    expect(rest).toEqual({
      base_url: `${site_url}/api/v2`,
      auth_url: site_url,
      graphql_url: `${site_url}/graphql`,
      ca_file: join(DATA_DIR, 'tls/ca.pem'),
      demo_file: null,
      database: expect.stringMatching(/^embedded /),
    });
    const client = { port: Number(new URL(site_url).port), ca: await readFile(rest.ca_file, 'utf8') };
    expect(await ask(client, '/healthz')).toEqual({ status: 'ok', version: packageVersion() });
    await expect(readFile(join(DATA_DIR, 'demo.json'))).rejects.toThrow('ENOENT');
  } finally {
    child.kill('SIGKILL');
  }
});

fullTest('a second signal does not wait for what is still asked', async () => {
  const service = await start('impatient', {}, '--no-demo');
  const { ca, port } = await clientOf(service, 'impatient');
  const socket = connectTls({ ca, port, host: '127.0.0.1', servername: 'localhost' });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  socket.write('POST /graphql HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n');
  await once(socket, 'data');

  const ended = service.end('SIGINT');
  const again = setInterval(() => service.child.kill('SIGINT'), 50);
  const { code } = await ended;
  clearInterval(again);
  expect(code).toBe(130);
});

test('a port in use stops the start with what to do, before anything is written', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const PORT = String((other.address() as AddressInfo).port);
  const DATA_DIR = join(folder, 'in-use');
  const outcome = await runWaybridge(['serve'], { PORT, DATA_DIR });
  other.close();
  expect(outcome).toEqual({
    code: 1,
    stdout: '',
    stderr: `Port ${PORT} of 127.0.0.1 is in use; stop the other program, or set PORT to another port (0 selects a free one)\n`,
  });
  await expect(readFile(join(DATA_DIR, 'demo.json'))).rejects.toThrow('ENOENT');
});

// In their order: the last of them ends the service.
describe('a service without a demonstration', { shuffle: false }, () => {
  let service: ServiceProcess;
  let client: Awaited<ReturnType<typeof clientOf>>;
  let printed: Promise<string>;
  beforeAll(async () => {
    const [preload, CODE_FILE] = [join(folder, 'watch-code.cjs'), join(folder, 'code')];
    await writeFile(preload, WATCH_CODE);
    const watched = { NODE_OPTIONS: `--require ${preload}`, CODE_FILE };
    service = await serveProcess({ LOG_LEVEL: 'info', DATA_DIR: join(folder, 'plain'), ...watched }, '--no-demo');
    printed = text(service.child.stdout);
    client = await clientOf(service, 'plain');
  });
  afterAll(async () => void (await service.end('SIGKILL')));

  test('the start runs the code that the build has stored', async () => {
    const code = (await readFile(join(folder, 'code'), 'utf8')).trim().split('\n');
    expect(new Set(code)).toEqual(new Set(['taken']));
    expect(code.length).toBeGreaterThan(200);
  });

  test('the component is served with the address of GraphQL in it, and a key that a command makes opens the service', async () => {
    const { port } = service;
    const PATH = `${await curlFolder()}:${process.env.PATH}`;
    const ca = join(folder, 'plain/tls/ca.pem');
    const url = `https://localhost:${port}/service-web-components.umd.js`;
    const { stdout } = await promisify(execFile)('curl', ['--cacert', ca, url], { env: { PATH }, maxBuffer: 2 ** 26 });
    expect(stdout).toContain(`https://localhost:${port}/graphql`);
    expect(stdout).not.toContain('__WAYBRIDGE_GRAPHQL_URL__');

    const { key, api_key } = await askCommand(['account', 'add', '--nickname', 'Bakery'], service.settings);
    expect(await ask(client, '/api/v2/account', { headers: { 'service-api-key': String(api_key) } })).toMatchObject({
      key,
      nickname: 'Bakery',
    });
  });

  test('SIGHUP serves the certificate that is in the files by then, and the service goes on', async () => {
    const { ca, port } = client;
    await rm(join(folder, 'plain/tls/server.pem'));
    const logged = new Promise((resolve) => {
      service.child.stderr.on(
        'data',
        (chunk) => String(chunk).includes('the certificate was read again') && resolve(0),
      );
    });
    service.child.kill('SIGHUP');
    await logged;
    const socket = connectTls({ ca, port, host: '127.0.0.1', servername: 'localhost' });
    await once(socket, 'secureConnect');
    const renewed = await readFile(join(folder, 'plain/tls/server.pem'), 'utf8');
    expect(socket.getPeerX509Certificate()?.toString().trim()).toBe(renewed.trim());
    socket.destroy();
  });

  test('standard output carries the banner, standard error the log as JSON; what was asked before SIGTERM is answered, and the process ends with 0', async () => {
    const logged = once(service.child.stderr, 'data');
    const { ca, port } = client;
    const body = JSON.stringify({ query: '{ __typename }' });
    const socket = connectTls({ ca, port, host: '127.0.0.1', servername: 'localhost' });
    socket.setEncoding('utf8');
    await once(socket, 'secureConnect');
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n` +
        `Content-Length: ${body.length}\r\n\r\n`,
    );
    // The service has seen the request when it asks for its body.
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 100 /);

    const ended = service.end('SIGTERM');
    await rejection(port);
    socket.write(body);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('{"data":{"__typename":"Query"}}');
    expect(await ended).toEqual({ code: 0, signal: null });
    const lastLine = String(await logged)
      .trim()
      .split('\n')
      .at(-1);
    expect(JSON.parse(lastLine ?? '')).toMatchObject({ level: 30 });
    expect(await printed).toBe('');
  });
});

async function start(name: string, settings: Record<string, string> = {}, ...args: string[]): Promise<ServiceProcess> {
  running = await serveProcess({ LOG_LEVEL: 'error', ...settings, DATA_DIR: join(folder, name) }, ...args);
  return running;
}

async function clientOf({ port }: ServiceProcess, name: string) {
  return { port, ca: await readFile(join(folder, name, 'tls/ca.pem'), 'utf8') };
}

/** Waits until nobody listens on a port any more: each connection that is still taken is closed by the service. */
async function rejection(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const taken = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (!taken) return;
  }
}

/** A folder with a program `curl` that knows what the banner uses, since the real one need not be on this machine. */
async function curlFolder(): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  const program = `#!${process.execPath}
const { readFileSync } = require('node:fs');
const { request } = require('node:https');
const args = process.argv.slice(2);
const options = { headers: {}, agent: false };
let url, body;
while (args.length > 0) {
  const arg = args.shift();
  if (arg === '--cacert') options.ca = readFileSync(args.shift());
  else if (arg === '-H') { const [name, value] = args.shift().split(/: (.*)/s); options.headers[name] = value; }
  else if (arg === '-d') { body = args.shift(); options.method = 'POST'; }
  else if (arg.startsWith('-')) throw new Error('Unknown option ' + arg);
  else url = arg;
}
request(url, options, (response) => response.pipe(process.stdout)).end(body);
`;
  await writeFile(join(bin, 'curl'), program);
  await chmod(join(bin, 'curl'), 0o755);
  return bin;
}
