/**
 * Builds what has changed since the last build: the server, the component, or nothing. `npm run build` is this program.
 *
 * A build is named by a hash of the names, sizes and times of its sources, so that a file that was removed, moved or
 * restored counts as a change too.
 */
import { execSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** Members of the project that are not part of the server; a folder in neither list counts as part of it. */
const OTHERS = ['client', 'element', 'test', 'bench', 'vitest.config.ts'];
const SHARED = ['schema', 'tsconfig.json', 'package.json', 'package-lock.json', 'command/build.js'];

const PARTS = [
  {
    script: 'build:server',
    sources: [...SHARED, ...projectFiles().filter((name) => !OTHERS.includes(name))],
    product: 'build/bundle/waybridge.js',
    stamp: 'build/bundle/.sources',
  },
  {
    script: 'build:element',
    sources: [...SHARED, 'element', 'LICENSE'],
    product: 'dist/service-web-components.umd.js',
    stamp: 'build/.element-sources',
  },
];

for (const { script, sources, product, stamp } of PARTS) {
  const hash = hashOf(sources);
  const isBuilt = existsSync(join(ROOT, product)) && existsSync(join(ROOT, stamp)) && read(stamp) === hash;
  if (isBuilt) continue;
  execSync(`npm run ${script}`, { cwd: ROOT, stdio: 'inherit' });
  writeFileSync(join(ROOT, stamp), hash);
}

/** @returns {string[]} */
function projectFiles() {
  return JSON.parse(read('tsconfig.json')).include;
}

/** @param {string} path */
function read(path) {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** @param {readonly string[]} sources files and folders */
function hashOf(sources) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesIn).sort()) {
    const { size, mtimeMs } = statSync(join(ROOT, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** @param {string} path */
function filesIn(path) {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  const entries = readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}
