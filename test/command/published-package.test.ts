import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { productionMegabytes } from '../../bench/production-packages.ts';
import { type HttpsClient, httpsClient, jsonOf } from '../clients/https-client.ts';
import { outcomeOf, readyService, type ServiceProcess, spawnWaybridge } from '../processes/waybridge-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
/** Files and folders of which the package is made. They are copied, since packing changes package.json for a moment. */
const SOURCES = [
  ...['package.json', 'LICENSE', 'README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'SECURITY.md', 'schema.graphql'],
  ...['build/bundle', 'command', 'dist', 'docs', 'element', 'NOTICE', 'ops', 'pages', 'server'],
];
/** Packages that the program does not contain: those of the clone, since nothing is downloaded. */
const EXTERNAL = ['@photostructure/sqlite', 'sharp'];
/** Bytes of the package on a disk, without what it depends on. */
const MAX_BYTES = 32e6;
/** Bytes that are downloaded. */
const MAX_PACKED_BYTES = 14.5e6;
/** Size on a disk of the package and of all that it depends on. */
const MAX_INSTALLED_MB = 150;

const mb = (bytes: number): string => (bytes / 1e6).toFixed(1);

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

let clone: string;
let elsewhere: string;
let packed: Packed;
let seconds: number;
let program: string;
let service: ServiceProcess;
let client: HttpsClient;

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'waybridge-clone-'));
  elsewhere = await mkdtemp(join(tmpdir(), 'waybridge-elsewhere-'));
  await Promise.all(SOURCES.map((path) => cp(join(ROOT, path), join(clone, path), { recursive: true })));
  await manifestScript('prepack');
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts'], { cwd: clone });
  packed = JSON.parse(stdout)[0];
  const begin = performance.now();
  await install(join(clone, packed.filename), ...EXTERNAL.map((name) => join(ROOT, 'node_modules', name)));
  seconds = (performance.now() - begin) / 1000;
  program = join(elsewhere, 'node_modules/.bin/waybridge');
  const settings = { DATA_DIR: join(elsewhere, 'data'), LOG_LEVEL: 'error' };
  service = await readyService(spawnWaybridge(['serve', '--no-demo'], { ...settings, PORT: '0' }, program), settings);
  client = httpsClient(await readFile(join(settings.DATA_DIR, 'tls/ca.pem'), 'utf8'));
});
afterAll(async () => {
  await service?.end('SIGKILL');
  await Promise.all([clone, elsewhere].map((folder) => rm(folder, { recursive: true, force: true })));
});

function manifestScript(moment: 'prepack' | 'postpack') {
  return run(process.execPath, ['command/published-manifest.js', moment], { cwd: clone });
}

async function install(...packages: string[]): Promise<void> {
  const cache = join(elsewhere, 'cache');
  const options = ['--offline', '--no-audit', '--no-fund', '--cache', cache];
  await run('npm', ['install', ...options, ...packages], { cwd: elsewhere });
}

test('the package depends only on what the program does not contain, and has none of the tests', async () => {
  const installed = join(elsewhere, 'node_modules/waybridge/package.json');
  const manifest = JSON.parse(await readFile(installed, 'utf8'));
  expect(Object.keys(manifest.dependencies)).toEqual(EXTERNAL);
  expect(manifest).not.toHaveProperty('private');
  expect(manifest).not.toHaveProperty('devDependencies');
  const sources = packed.files.filter(({ path }) => /^test\/|(?<!\.d)\.ts$/.test(path));
  expect(sources).toEqual([]);
  expect(packed.unpackedSize).toBeLessThan(MAX_BYTES);
});

test('packing leaves package.json as it was, also after an attempt that was killed', async () => {
  await manifestScript('prepack');
  await manifestScript('postpack');
  await manifestScript('postpack');
  expect(await readFile(join(clone, 'package.json'), 'utf8')).toBe(await readFile(join(ROOT, 'package.json'), 'utf8'));
});

test('packing after an attempt that was killed packs package.json as it is by then', async () => {
  const manifest = join(clone, 'package.json');
  const original = await readFile(manifest, 'utf8');
  const later = original.replace('"license": "MIT"', '"license": "ISC"');
  await manifestScript('prepack');
  await writeFile(manifest, later);
  await manifestScript('prepack');
  expect(JSON.parse(await readFile(manifest, 'utf8'))).toMatchObject({ license: 'ISC', bin: expect.anything() });
  await manifestScript('postpack');
  expect(await readFile(manifest, 'utf8')).toBe(later);
  await writeFile(manifest, original);
});

test.each([
  ['/', 'text/html'],
  ['/docs', 'text/html'],
  ['/docs/component', 'text/html'],
  ['/docs/element', 'text/html'],
  ['/docs/trip-map.md', 'text/markdown'],
  ['/llms.txt', 'text/plain'],
  ['/?s=token', 'text/html'],
  ['/blog/', 'text/html'],
  ['/security', 'text/html'],
  ['/favicon.svg', 'image/svg+xml'],
  ['/favicon.ico', 'image/x-icon'],
  ['/site/styles/site.css', 'text/css'],
  ['/site/browser/live.js', 'text/javascript'],
  ['/map/style.json', 'application/json'],
  ['/service-web-components.umd.js', 'text/javascript'],
  ['/service-web-components.maplibre.umd.js', 'text/javascript'],
  ['/docs/api', 'text/html'],
  ['/api/v2/openapi.json', 'application/json'],
])('installed alone, it serves %s', async (path, type) => {
  const { status, headers, text } = await client(`${service.url}${path}`);
  expect([status, headers['content-type']]).toEqual([200, expect.stringContaining(type)]);
  expect(text).not.toBe('');
});

test('its command reaches the service', async () => {
  const add = ['account', 'add', '--nickname', 'Bakery', '--json'];
  const { stdout } = await outcomeOf(spawnWaybridge(add, service.settings, program));
  const { api_key } = JSON.parse(stdout);
  const answer = await client(`${service.url}/api/v2/account`, { headers: { 'service-api-key': api_key } });
  expect(jsonOf(answer)).toMatchObject({ nickname: 'Bakery' });
});

test('the terms of every package in the program are in the package, word for word', async () => {
  const notices = await readFile(
    join(elsewhere, 'node_modules/waybridge/build/bundle/THIRD-PARTY-NOTICES.txt'),
    'utf8',
  );
  const sections = notices.split(`\n${'='.repeat(80)}\n`).slice(1);
  expect(sections.filter((section) => section.split(/\s+/).length < 50)).toEqual([]);
  for (const name of ['graphql', 'fastify', 'type-graphql']) {
    expect(notices).toContain((await readFile(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8')).trim());
  }
});

test('NOTICE names the works of others that the package has, and files that are there', async () => {
  const installed = join(elsewhere, 'node_modules/waybridge');
  const notice = await readFile(join(installed, 'NOTICE'), 'utf8');
  for (const work of [
    'Noto Sans',
    'Protomaps',
    'OpenStreetMap',
    'Open Database License',
    'Natural Earth',
    'mapbox-gl',
  ]) {
    expect(notice).toContain(work);
  }
  const files = notice.match(/\b(?:build|dist|element|server)\/[\w./-]*\w/g) ?? [];
  expect(files.length).toBeGreaterThan(7);
  for (const file of files) await stat(join(installed, file));
});

test('package and installation are small', () => {
  const installed = productionMegabytes();
  console.info(
    `  package ${mb(packed.size)} MB, unpacked ${mb(packed.unpackedSize)} MB, with what it needs ${installed} MB, ` +
      `installed in ${seconds.toFixed(1)} s`,
  );
  expect(packed.size).toBeLessThan(MAX_PACKED_BYTES);
  expect(installed).toBeLessThan(MAX_INSTALLED_MB);
});
