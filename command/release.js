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

import { breakingRestChanges } from './rest-changes.js';

const ROOT = join(import.meta.dirname, '..');
/** Folder of what is released, below the root. */
const FOLDER = 'build/release';
/** Folder of what the last release published, with the changes since then that are accepted, each with its reason. */
const RELEASED = 'command/released';
/** Workspaces that are published as packages of their own, beside that of the root. */
const WORKSPACES = ['client', 'element', 'embedded'];
const MANIFESTS = [
  'package.json',
  'command/package.json',
  'command/openapi-typescript/package.json',
  ...WORKSPACES.map((name) => `${name}/package.json`),
];

class ReleaseError extends Error {}

await new Command('npm run release --')
  .description(
    'Checks, tests, builds and packs the version of package.json with its packages and image, publishes the packages by npm publish, and tags it.',
  )
  .option('--dry-run', 'publish and tag nothing')
  .option('--no-image', 'make no image, where Docker cannot be reached')
  .option(
    '--usage <file>',
    'refuse to remove or narrow what an installation uses: the output of "waybridge usage --json"',
  )
  .option('--json', 'print exactly one JSON object')
  .addHelpText(
    'after',
    '\nExit codes: 0 if it is released, or could be, else 1.\n\nExample:\n  $ npm run release -- --dry-run',
  )
  .action(release)
  .parseAsync();

/** @param {{ dryRun?: true, image: boolean, usage?: string, json?: true }} options */
function release({ json, ...options }) {
  try {
    const released = makeRelease((line) => process.stderr.write(`${line}\n`), options);
    process.stdout.write(json ? `${JSON.stringify(released)}\n` : forPeople(released));
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/**
 * @param {(line: string) => void} progress
 * @param {{ dryRun?: true, image: boolean, usage?: string }} options
 */
function makeRelease(progress, { dryRun: isDryRun = false, image: hasImage, usage }) {
  progress('tree, version and changelog');
  if (hasImage) requireDocker();
  requireCleanTree();
  const version = agreedVersion();
  const tag = freeTag(version);
  requireCompatible(changesOfSchema(), usage);
  for (const script of ['check', 'test:full', 'build']) {
    progress(`npm run ${script}`);
    run('npm', ['run', script]);
  }
  progress('REST of the last release');
  const openapi = output(process.execPath, ['build/bundle/waybridge.js', 'openapi']);
  requireCompatible(changesOfRest(openapi), usage);
  progress(`files in ${FOLDER}`);
  const packages = makePackages();
  if (hasImage) progress('image');
  const files = [...packages, makeSbom(version), ...(hasImage ? [makeImage(version)] : [])].map(describe);
  write('SHA256SUMS', files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
  requireCleanTree();
  if (!isDryRun) {
    progress(`npm publish and ${tag}`);
    for (const name of packages) run('npm', ['publish', join(FOLDER, name)]);
    run('git', ['tag', '--annotate', tag, '--message', `Waybridge ${version}`]);
    writeFileSync(join(ROOT, RELEASED, 'schema.graphql'), read('schema.graphql'));
    writeFileSync(join(ROOT, RELEASED, 'openapi.json'), openapi);
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

/** The changes of the schema since the last release that break clients, each with the name in usage of what it changes. */
function changesOfSchema() {
  const [before, now] = [join(RELEASED, 'schema.graphql'), 'schema.graphql'].map((path) => buildSchema(read(path)));
  return findBreakingChanges(before, now).map(({ type, description }) => ({
    ...{ type, description },
    name: changedName(description),
  }));
}

/**
 * The same of the paths and members of REST.
 *
 * @param {string} openapi the OpenAPI document of this version
 */
function changesOfRest(openapi) {
  const changes = breakingRestChanges(JSON.parse(read(join(RELEASED, 'openapi.json'))), JSON.parse(openapi));
  return changes.map((description) => {
    const [path = ''] = /^[A-Z]+ [^ :]+/.exec(description) ?? [];
    const [, parameter] =
      /parameter (\S+) |^[^:]+: (\w+) of the body|the body has no (\w+)/.exec(description)?.filter(Boolean) ?? [];
    return { type: 'REST', description, name: parameter === undefined ? path : `${path}(${parameter}:)` };
  });
}

/**
 * Rejects changes that break clients and are not accepted, and those of what is used; see docs/versioning.md.
 *
 * @param {readonly { readonly type: string, readonly description: string, readonly name: string }[]} changes
 * @param {string | undefined} usage file with the names that an installation uses
 */
function requireCompatible(changes, usage) {
  const used = usage === undefined ? [] : JSON.parse(readFileSync(usage, 'utf8')).nodes;
  const broken = changes.flatMap(({ description, name: changed }) =>
    used
      .filter(({ name }) => name === changed || name.startsWith(`${changed}.`) || name.startsWith(`${changed}(`))
      .map(({ name, last_day, count }) => `  ${description} ${name}: ${count} requests, the last on ${last_day}`),
  );
  if (broken.length > 0) throw new ReleaseError(`Clients use what this release breaks:\n${broken.join('\n')}`);
  const accepted = JSON.parse(read(join(RELEASED, 'accepted.json')));
  const lines = changes
    .filter(({ description }) => !Object.hasOwn(accepted, description))
    .map(({ type, description }) => `  ${type}: ${description}`);
  if (lines.length === 0) return;
  throw new ReleaseError(
    `The API breaks clients of the last release; keep the old names, deprecated, or name these changes in ${RELEASED}/accepted.json:\n${lines.join('\n')}`,
  );
}

/**
 * The coordinate in the description of a change: `Query.trips(after:)`, `Vehicle.odometer`, `EventKind.tow`, `Place`.
 *
 * @param {string} description
 */
function changedName(description) {
  const [, argument, name] = /^(\w+\.\w+) arg (\w+)/.exec(description) ?? [];
  if (argument !== undefined) return `${argument}(${name}:)`;
  const [, value, type] = /^(\w+) was removed from (?:enum|union) type (\w+)/.exec(description) ?? [];
  if (value !== undefined) return `${type}.${value}`;
  const [, extended] = /^A required (?:arg|field) \w+ on (?:input type )?([\w.]+) was added/.exec(description) ?? [];
  return extended ?? /^[\w.]+/.exec(description)?.[0].replace(/\.$/, '') ?? description;
}

/** Packs the root and its published workspaces into the folder; returns the names of the files. */
function makePackages() {
  rmSync(join(ROOT, FOLDER), { recursive: true, force: true });
  mkdirSync(join(ROOT, FOLDER));
  return ['.', ...WORKSPACES].map((folder) => {
    const [{ filename }] = JSON.parse(
      output('npm', ['pack', `./${folder}`, '--json', '--silent', '--pack-destination', FOLDER]),
    );
    return filename;
  });
}

/** @param {string} version */
function makeSbom(version) {
  const name = `waybridge-${version}.cdx.json`;
  write(name, output('npm', ['run', '--silent', 'sbom']));
  return name;
}

function requireDocker() {
  if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0) return;
  throw new ReleaseError(
    'The image needs Docker, which cannot be reached; start it, or leave the image out by --no-image',
  );
}

/**
 * Builds the image and saves it, for `docker load`.
 *
 * @param {string} version
 */
function makeImage(version) {
  const name = `waybridge-${version}.image.tar`;
  run('docker', ['build', '--tag', `waybridge:${version}`, '.']);
  run('docker', ['save', '--output', join(FOLDER, name), `waybridge:${version}`]);
  return name;
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
    : `Nothing was published: without --dry-run, npm would publish the packages, and git would tag ${tag}.`;
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
