import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
/** Folders and files of which the packages are made. They are copied, since packing adds files for a moment. */
const SOURCES = ['command', 'dist', 'element', 'embedded', 'LICENSE', 'tsconfig.json'];

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

let clone: string;
let elsewhere: string;

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'waybridge-clone-'));
  elsewhere = await mkdtemp(join(tmpdir(), 'waybridge-elsewhere-'));
  await Promise.all(SOURCES.map((path) => cp(join(ROOT, path), join(clone, path), { recursive: true })));
  await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  await mkdir(join(elsewhere, 'node_modules'));
});
afterAll(() => Promise.all([clone, elsewhere].map((folder) => rm(folder, { recursive: true, force: true }))));

async function pack(workspace: string): Promise<Packed & { readonly paths: readonly string[] }> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', clone], { cwd: join(clone, workspace) });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [Packed];
  return { ...packed, paths: packed.files.map(({ path }) => path) };
}

/** Installs a package, and packages that it needs from those of the clone, since nothing is downloaded. */
async function install({ filename }: Packed, ...names: string[]): Promise<void> {
  const options = ['--offline', '--no-audit', '--no-fund', '--cache', join(elsewhere, 'cache')];
  const packages = [join(clone, filename), ...names.map((name) => join(ROOT, 'node_modules', name))];
  await run('npm', ['install', ...options, ...packages], { cwd: elsewhere });
}

const runHere = (...args: string[]) => run(process.execPath, args, { cwd: elsewhere });

test('the embedded database is a package with which the example of its README runs beside Mongoose', async () => {
  const packed = await pack('embedded');
  expect(packed.paths).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']));
  expect(packed.paths.filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual([]);
  expect((await readdir(join(clone, 'embedded'))).filter((name) => ['dist', 'LICENSE'].includes(name))).toEqual([]);
  await install(packed, 'bson', '@photostructure/sqlite', 'mongoose');
  const readme = await readFile(join(elsewhere, 'node_modules/waybridge-embedded-database/README.md'), 'utf8');
  const [, example = ''] = /^```js\n([\s\S]*?)^```/m.exec(readme) ?? [];
  await writeFile(join(elsewhere, 'example.mjs'), example);
  const { stdout, stderr } = await runHere('example.mjs');
  expect(stderr).toBe('');
  expect(stdout).toContain("title: 'Emma',\n  year: 1815");
}, 60_000);

test('the embedded database declares its types', async () => {
  await writeFile(
    join(elsewhere, 'typed.mts'),
    `import { type EmbeddedDatabase, startEmbeddedDatabase } from 'waybridge-embedded-database';
    export const database: Promise<EmbeddedDatabase> = startEmbeddedDatabase({ file: 'test.db' });
    // @ts-expect-error a file is needed
    startEmbeddedDatabase({});`,
  );
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--types', ''];
  await runHere(join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, 'typed.mts');
}, 60_000);

test('the element is a package with the files that its package.json names', async () => {
  const packed = await pack('element');
  const beside = ['CHANGELOG.md', 'LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.txt', 'package.json'];
  expect(packed.paths.filter((path) => !path.startsWith('dist/')).sort()).toEqual(beside.sort());
  await install(packed, 'lit');
  const folder = join(elsewhere, 'node_modules/service-web-components');
  const { exports, types, unpkg, jsdelivr, customElements } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const named = [
    types,
    unpkg,
    jsdelivr,
    customElements,
    ...Object.values(exports).flatMap((one) => Object.values(Object(one))),
  ];
  for (const path of named.filter((one) => String(one).length > 1)) await readFile(join(folder, String(path)));
  await writeFile(
    join(elsewhere, 'element.mjs'),
    "import { ServiceTripsMap } from 'service-web-components/maplibre'; console.log(ServiceTripsMap.observedAttributes.includes('vehicle-key'));",
  );
  expect((await runHere('element.mjs')).stdout).toBe('true\n');
}, 60_000);
