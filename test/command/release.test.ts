import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, beforeEach, expect, test } from 'vitest';

import { temporaryFolder } from '../processes/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const CHANGELOG = '# Changelog\n\n## [1.0.0] - 2026-01-31\n';
/** Scripts of a clone, which note that they ran. */
const SCRIPTS = {
  check: 'echo check',
  'test:full': 'echo test',
  build: 'mkdir -p build/bundle && cp openapi.js build/bundle/waybridge.js',
  sbom: 'echo "{}"',
};

/** A clone that can be released, of which each test has a copy. */
let original: string;
let clone: string;

beforeAll(async () => {
  original = await mkdtemp(join(tmpdir(), 'waybridge-'));
  clone = original;
  const isOwn = (path: string) => basename(path) !== 'node_modules';
  await cp(join(ROOT, 'command'), join(clone, 'command'), { recursive: true, filter: isOwn });
  await mkdir(join(clone, 'node_modules'));
  await symlink(join(ROOT, 'node_modules/commander'), join(clone, 'node_modules/commander'));
  await symlink(join(ROOT, 'node_modules/graphql'), join(clone, 'node_modules/graphql'));
  await cp(join(ROOT, 'schema.graphql'), join(clone, 'schema.graphql'));
  await write('.gitignore', 'node_modules/\n/build/\n');
  await write('CHANGELOG.md', CHANGELOG);
  await write('package-lock.json', '{ "packages": { "": { "name": "waybridge", "version": "1.0.0" } } }');
  for (const folder of ['.', 'command', 'command/openapi-typescript', 'client', 'element', 'embedded']) {
    await mkdir(join(clone, folder), { recursive: true });
    const name = `waybridge${folder === '.' ? '' : `-${basename(folder)}`}`;
    await write(
      join(folder, 'package.json'),
      JSON.stringify({ name, version: '1.0.0', type: 'module', scripts: SCRIPTS }),
    );
  }
  await write('openapi.js', `console.log(process.getBuiltinModule('fs').readFileSync('openapi.json', 'utf8'))`);
  await cp(join(clone, 'command/released/openapi.json'), join(clone, 'openapi.json'));
  await git('init', '--quiet');
  await commit();
  return () => rm(original, { recursive: true, force: true });
});

beforeEach(async () => {
  clone = await temporaryFolder();
  await cp(original, clone, { recursive: true });
});

function write(path: string, text: string): Promise<void> {
  return writeFile(join(clone, path), text);
}

function git(...args: string[]) {
  return run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: clone });
}

async function commit(): Promise<void> {
  await git('add', '--all');
  await git('commit', '--quiet', '--allow-empty', '--message', 'test');
}

/** Tries a release, without an image, and returns its exit code and what it says last. */
function release(...options: string[]) {
  return releaseWithImage('--no-image', ...options);
}

/** Tries a release; the image is made by a `docker` of the clone, if it has one. */
async function releaseWithImage(...options: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, PATH: `${join(clone, 'node_modules')}:${process.env.PATH ?? ''}` };
  return run(process.execPath, ['command/release.js', '--dry-run', ...options], { cwd: clone, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

const rejected = (sentence: string) => ({ code: 1, stdout: '', stderr: `tree, version and changelog\n${sentence}\n` });

test('a dry run packs, lists and sums what would be published, and publishes and tags nothing', async () => {
  await putDocker('[ "$1" != save ] || echo "$4" > "$3"');
  const { code, stdout } = await releaseWithImage('--json');
  expect(code).toBe(0);
  const released = JSON.parse(stdout);
  expect(released).toMatchObject({ version: '1.0.0', tag: 'v1.0.0', released: false, folder: 'build/release' });
  expect(namesOf(released)).toEqual([
    'waybridge-1.0.0.tgz',
    'waybridge-client-1.0.0.tgz',
    'waybridge-element-1.0.0.tgz',
    'waybridge-embedded-1.0.0.tgz',
    'waybridge-1.0.0.cdx.json',
    'waybridge-1.0.0.image.tar',
  ]);
  const image = await readFile(join(clone, 'build/release/waybridge-1.0.0.image.tar'), 'utf8');
  expect(image).toBe('waybridge:1.0.0\n');
  await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: join(clone, 'build/release') });
  expect((await git('tag', '--list')).stdout).toBe('');
});

const namesOf = ({ files }: { readonly files: readonly { readonly name: string }[] }) => files.map(({ name }) => name);

/** Puts a `docker` into the clone that stands for Docker, whose daemon not every machine has. */
const putDocker = (script: string) => putProgram('docker', script);

/** Puts an `npm` into the clone that only builds, where what npm does is not tested. */
const putNpm = () => putProgram('npm', `[ "$2" != build ] || (${SCRIPTS.build})`);

async function putProgram(name: string, script: string): Promise<void> {
  await write(`node_modules/${name}`, `#!/bin/sh\n${script}\n`);
  await chmod(join(clone, 'node_modules', name), 0o755);
}

test('a release whose image cannot be made ends before anything is checked, and says what to do', async () => {
  await putDocker('exit 1');
  const sentence = 'The image needs Docker, which cannot be reached; start it, or leave the image out by --no-image';
  expect(await releaseWithImage()).toEqual(rejected(sentence));
});

test('a schema that breaks clients of the last release is not released, unless the change is accepted', async () => {
  await putNpm();
  const schema = await readFile(join(clone, 'schema.graphql'), 'utf8');
  await write('schema.graphql', schema.replace('  plate_number: String\n', '  plate: String\n'));
  await commit();
  const { code, stderr } = await release();
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('FIELD_REMOVED: Vehicle.plate_number') });
  await write('command/released/accepted.json', JSON.stringify({ 'Vehicle.plate_number was removed.': 'A test.' }));
  await commit();
  expect((await release()).stderr).not.toContain('Vehicle.plate_number');
});

test.each([
  ['"/vehicle/{key}":', '"/car/{key}":', 'GET /vehicle/{key} was removed.', 'GET /vehicle/{key}(expand:)'],
  [
    '"name":"q","in":"query"',
    '"name":"text","in":"query"',
    'GET /devices: the query parameter q was removed.',
    'GET /devices(q:)',
  ],
])('REST that breaks clients is not released: %j to %j', async (old, now, change, name) => {
  await putNpm();
  const document = await readFile(join(clone, 'openapi.json'), 'utf8');
  await write('openapi.json', document.replaceAll(old, now));
  expect((await committed()).stderr).toContain(`\n  REST: ${change}`);
  await write('usage.json', JSON.stringify({ nodes: [{ name, last_day: '2026-01-30', count: 7 }] }));
  expect((await committed('--usage', 'usage.json')).stderr).toContain(`\n  ${change} ${name}: 7 requests`);
});

test.each([
  ['  plate_number: String\n', '  plate: String\n', 'Vehicle.plate_number'],
  ['  vehicles(\n', '  vehicles(\n    needed: Int!\n', 'Query.vehicles(first:)'],
  ['  """Vehicles."""\n  Car\n', '', 'TagType.Car'],
])(
  'a change of what an installation uses is not released, even if it is accepted: %j to %j',
  async (old, now, name) => {
    await putNpm();
    const schema = await readFile(join(clone, 'schema.graphql'), 'utf8');
    await write('schema.graphql', schema.replace(old, now));
    const description = /(?<=: ).* was (?:removed.*|added)\.$/m.exec((await committed()).stderr)?.[0] ?? '';
    await write('command/released/accepted.json', JSON.stringify({ [description]: 'A test.' }));
    const used = { name, last_day: '2026-01-30', count: 7 };
    await write('usage.json', JSON.stringify({ nodes: [used] }));
    const { stderr } = await committed('--usage', 'usage.json');
    expect(stderr).toContain(`${description} ${name}: 7 requests, the last on 2026-01-30`);
    await write('usage.json', JSON.stringify({ nodes: [{ ...used, name: 'Query.account' }] }));
    expect((await committed('--usage', 'usage.json')).stderr).not.toContain('requests, the last');
  },
);

async function committed(...options: string[]) {
  await commit();
  return release(...options);
}

test('a tree with changes is not released', async () => {
  await write('draft.md', '');
  expect(await release()).toEqual(
    rejected('The tree has changes that are not committed; commit them first:\n?? draft.md'),
  );
});

test.each(['# Changelog\n\n## Unreleased\n\n- Something.\n', '# Changelog\n\n## [0.9.0] - 2026-01-30\n'])(
  'a version that is not the newest of the changelog is not released: %j',
  async (changelog) => {
    await write('CHANGELOG.md', changelog);
    await commit();
    const { code, stderr } = await release();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('its newest section must be "[1.0.0] - YYYY-MM-DD"'),
    });
  },
);

test('manifests of different versions are not released', async () => {
  await write('command/package.json', '{ "version": "0.9.0", "type": "module" }');
  await commit();
  expect(await release()).toEqual(rejected('command/package.json has version 0.9.0, and package.json 1.0.0'));
});

test('a version that is tagged already is not released again', async () => {
  await git('tag', 'v1.0.0');
  expect(await release()).toMatchObject({ code: 1, stderr: expect.stringContaining('The tag v1.0.0 exists already') });
});

test('nothing is packed after a check that fails', async () => {
  const manifest = JSON.parse(await readFile(join(clone, 'package.json'), 'utf8'));
  await write('package.json', JSON.stringify({ ...manifest, scripts: { ...SCRIPTS, check: 'exit 3' } }));
  await commit();
  expect(await release()).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('npm run check failed'),
  });
  await expect(readFile(join(clone, 'build/release/SHA256SUMS'))).rejects.toThrow('ENOENT');
});

test('the version of this clone is the newest of its changelog', async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  expect(await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8')).toMatch(new RegExp(`^## \\[${version}\\] - 2`, 'm'));
});
