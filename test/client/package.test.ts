import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { at } from '../browser/built-file.ts';
import { PackedWorkspaces } from '../browser/packed-workspace.ts';
import { ask } from '../clients/service-client.ts';
import { clientBundle } from '../processes/client-bundle.ts';
import { serveProcess } from '../processes/waybridge-process.ts';
import { accountFolder } from '../services/account-folder.ts';

const run = promisify(execFile);
const COMPILER_OPTIONS = [
  ...['--ignoreConfig', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2023,dom'],
  ...['--typeRoots', at('node_modules/@types'), '--types', 'node'],
];

let workspaces: PackedWorkspaces;
let examples: readonly string[];
let packed: Awaited<ReturnType<PackedWorkspaces['pack']>>;
beforeAll(async () => {
  workspaces = await PackedWorkspaces.create(['client', 'element', 'schema']);
  packed = await workspaces.pack('client');
  await workspaces.install(packed, 'idb', 'oauth4webapi', '@photostructure/sqlite');
  const readme = await readFile(join(workspaces.elsewhere, 'node_modules/waybridge-client/README.md'), 'utf8');
  examples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
});
afterAll(() => workspaces.remove());

/** Compiles a program of somebody who has installed the package. */
async function compile(name: string, program: string): Promise<void> {
  await writeFile(join(workspaces.elsewhere, name), program);
  await run(process.execPath, [at('node_modules/typescript/bin/tsc'), ...COMPILER_OPTIONS, name], {
    cwd: workspaces.elsewhere,
  }).catch(({ stdout }: { readonly stdout: string }) => expect(stdout).toBe(''));
}

test('the client is a package of compiled modules with their types', async () => {
  expect(packed.paths).toEqual(
    expect.arrayContaining([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
      'dist/client/waybridge-client.d.ts',
    ]),
  );
  expect(packed.paths.filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual([]);
  const left = await readdir(join(workspaces.clone, 'client'));
  expect(left.filter((name) => ['dist', 'LICENSE'].includes(name))).toEqual([]);
});

test('the client with its packages has at most 25 kB, compressed', async () => {
  const code = await clientBundle();
  expect(code).toContain('waybridge_records');
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(25_000);
});

test('the example for browsers compiles', async () => {
  const [, browser = ''] = examples;
  const imports = "import { indexedDbStore, OAuthSession, replica } from 'waybridge-client';";
  await compile('page.mts', `${imports}\ndeclare const authUrl: string, clientId: string;\n${browser}`);
  await compile(
    'wrong.mts',
    `${imports}\n// @ts-expect-error a client_id is needed\nnew OAuthSession({ authUrl: '' });`,
  );
});

test('the example for Node.js, of at most 40 lines, prints what is there, what changes and what moves', async () => {
  const [example = ''] = examples;
  expect(example.split('\n').length).toBeLessThanOrEqual(40);
  // Node.js 20 has no SQLite.
  const hasSqlite = Number(process.versions.node.split('.')[0]) > 22;
  await compile('example.mts', hasSqlite ? example : example.replace('node:sqlite', '@photostructure/sqlite'));
  const { DATA_DIR, apiKey } = await accountFolder();
  const service = await serveProcess({ DATA_DIR }, '--no-demo');
  onTestFinished(async () => void (await service.end('SIGKILL')));
  const ca = join(DATA_DIR, 'tls/ca.pem');
  const client = { ca: await readFile(ca, 'utf8'), port: service.port };
  const post = (path: string, body: object, headers: Record<string, string> = { 'service-api-key': apiKey }) =>
    ask(client, `/api/v2${path}`, { headers, body }) as Promise<Record<string, string>>;
  const { key: vehicle_key } = await post('/vehicles', { nickname: 'Van 4' });

  const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca, URL: service.url, API_KEY: apiKey };
  const program = spawn(process.execPath, ['example.mjs'], { cwd: workspaces.elsewhere, env });
  onTestFinished(() => void program.kill('SIGKILL'));
  const errors = text(program.stderr);
  let printed = '';
  program.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  await expect.poll(() => printed).toContain('Van 4 has 0 trips');
  const device = await post('/devices', { serial: 'S1', vehicle_key });
  await expect.poll(() => printed).toContain(`device ${device.key} is there`);
  const { secret } = await post(`/device/${device.key}/keys`, {});
  const points = [{ point: { lat: 53.0758, lon: 8.8072 }, timestamp: new Date().toISOString() }];
  await post('/ingest', { points }, { authorization: `Bearer ${secret}` });
  await expect.poll(() => printed).toContain('Van 4 is at { lat: 53.0758, lon: 8.8072 }');
  program.kill('SIGTERM');
  expect([await once(program, 'exit'), await errors]).toEqual([[0, null], '']);
});
