/**
 * Releases the version of package.json: `npm run release`. It publishes and tags only what it has checked, tested, built and
 * packed from a clean tree; `--dry-run` does everything else.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Command } from 'commander';
import { buildSchema, findBreakingChanges } from 'graphql';

const ROOT = join(import.meta.dirname, '..');
/** Folder of what is released, below the root. */
const FOLDER = 'build/release';
/** Folder of what the last release published, with the changes since then that are accepted, each with its reason. */
const RELEASED = 'command/released';
const MANIFESTS = [
  'package.json',
  'command/package.json',
  'command/openapi-typescript/package.json',
  'client/package.json',
  'element/package.json',
  'embedded/package.json',
];

class ReleaseError extends Error {}

await new Command('npm run release --')
  .description('Checks, tests, builds and packs the version of package.json, publishes it by npm publish, and tags it.')
  .option('--dry-run', 'publish and tag nothing')
  .option('--json', 'print exactly one JSON object')
  .addHelpText(
    'after',
    '\nExit codes: 0 if it is released, or could be, else 1.\n\nExample:\n  $ npm run release -- --dry-run',
  )
  .action(release)
  .parseAsync();

/** @param {{ dryRun?: true, json?: true }} options */
function release({ dryRun, json }) {
  try {
    const released = makeRelease((line) => process.stderr.write(`${line}\n`), dryRun === true);
    process.stdout.write(json ? `${JSON.stringify(released)}\n` : forPeople(released));
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/**
 * @param {(line: string) => void} progress
 * @param {boolean} isDryRun
 */
function makeRelease(progress, isDryRun) {
  progress('tree, version and changelog');
  requireCleanTree();
  const version = agreedVersion();
  const tag = freeTag(version);
  requireCompatibleSchema();
  for (const script of ['check', 'test', 'build']) {
    progress(`npm run ${script}`);
    run('npm', ['run', script]);
  }
  progress(`files in ${FOLDER}`);
  const files = makeFiles(version);
  requireCleanTree();
  if (!isDryRun) {
    progress(`npm publish and ${tag}`);
    run('npm', ['publish', join(FOLDER, files[0].name)]);
    run('git', ['tag', '--annotate', tag, '--message', `Waybridge ${version}`]);
    writeFileSync(join(ROOT, RELEASED, 'schema.graphql'), read('schema.graphql'));
    writeFileSync(join(ROOT, RELEASED, 'accepted.json'), '{}\n');
  }
  return { version, tag, released: !isDryRun, folder: FOLDER, files };
}

function requireCleanTree() {
  const changes = output('git', ['status', '--porcelain']).trimEnd();
  if (changes !== '')
    throw new ReleaseError(`The tree has changes that are not committed; commit them first:\n${changes}`);
}

/** The version on which all manifests and the changelog agree. */
function agreedVersion() {
  const { version } = JSON.parse(read('package.json'));
  const locked = Object.values(JSON.parse(read('package-lock.json')).packages);
  const versions = [
    ...MANIFESTS.map((path) => [path, JSON.parse(read(path)).version]),
    ...locked.filter(({ name }) => name?.startsWith('waybridge')).map((entry) => ['package-lock.json', entry.version]),
  ];
  for (const [path, other] of versions) {
    if (other !== version) throw new ReleaseError(`${path} has version ${other}, and package.json ${version}`);
  }
  const [newest = 'nothing'] = /(?<=^## ).*/m.exec(read('CHANGELOG.md')) ?? [];
  if (!new RegExp(`^\\[${version}\\] - \\d{4}-\\d{2}-\\d{2}$`).test(newest)) {
    throw new ReleaseError(
      `CHANGELOG.md begins with "${newest}"; its newest section must be "[${version}] - YYYY-MM-DD"`,
    );
  }
  return version;
}

/** @param {string} version */
function freeTag(version) {
  const tag = `v${version}`;
  if (output('git', ['tag', '--list', tag]) !== '') {
    throw new ReleaseError(
      `The tag ${tag} exists already; raise the version in ${MANIFESTS.join(', ')} and package-lock.json`,
    );
  }
  return tag;
}

/** Compares the schema with that of the last release; see docs/versioning.md. */
function requireCompatibleSchema() {
  const [before, now] = [join(RELEASED, 'schema.graphql'), 'schema.graphql'].map((path) => buildSchema(read(path)));
  const accepted = JSON.parse(read(join(RELEASED, 'accepted.json')));
  const breaking = findBreakingChanges(before, now).filter(({ description }) => !Object.hasOwn(accepted, description));
  if (breaking.length === 0) return;
  const changes = breaking.map(({ type, description }) => `  ${type}: ${description}`).join('\n');
  throw new ReleaseError(
    `The schema breaks clients of the last release; keep the old names, deprecated, or name these changes in ${RELEASED}/accepted.json:\n${changes}`,
  );
}

/**
 * Makes the package, its SBOM and the checksums of both, for `sha256sum --check`.
 *
 * @param {string} version
 */
function makeFiles(version) {
  rmSync(join(ROOT, FOLDER), { recursive: true, force: true });
  mkdirSync(join(ROOT, FOLDER));
  const [{ filename }] = JSON.parse(output('npm', ['pack', '--json', '--pack-destination', FOLDER]));
  const sbom = `waybridge-${version}.cdx.json`;
  write(sbom, output('npm', ['run', '--silent', 'sbom']));
  const files = [filename, sbom].map(describe);
  write('SHA256SUMS', files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
  return files;
}

/** @param {string} name */
function describe(name) {
  const bytes = readFileSync(join(ROOT, FOLDER, name));
  return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function forPeople({ version, tag, released, files }) {
  const lines = files.map(
    ({ name, bytes, sha256 }) => `  ${sha256}  ${FOLDER}/${name} (${(bytes / 1e6).toFixed(1)} MB)`,
  );
  const end = released
    ? `Waybridge ${version} is published and tagged: commit ${RELEASED}, and git push origin ${tag}`
    : `Nothing was published: without --dry-run, npm would publish ${files[0].name}, and git would tag ${tag}.`;
  return `${[...lines, end].join('\n')}\n`;
}

/** Runs a program whose output is the progress of the release. */
function run(program, args) {
  const { status } = spawnSync(program, args, { cwd: ROOT, stdio: ['inherit', 2, 2] });
  if (status !== 0) throw new ReleaseError(`${[program, ...args].join(' ')} failed; nothing more was done`);
}

function output(program, args) {
  const stdio = ['ignore', 'pipe', 'inherit'];
  return execFileSync(program, args, { cwd: ROOT, encoding: 'utf8', stdio, maxBuffer: 2 ** 26 });
}

function read(path) {
  return readFileSync(join(ROOT, path), 'utf8');
}

function write(name, text) {
  writeFileSync(join(ROOT, FOLDER, name), text);
}
