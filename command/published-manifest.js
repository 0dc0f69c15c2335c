/**
 * Run by `npm pack` and `npm publish`, before and after they read package.json: `prepack` replaces it by that of the
 * published package, and `postpack` restores it.
 *
 * In a clone, package.json names no command: with one of its own, `npx` would install the whole project into its cache, in
 * place of the command that `npm ci` has linked from this folder. The published package names the built program, and
 * depends only on the packages that the program does not contain.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MANIFEST = join(import.meta.dirname, '../package.json');
/** The manifest of the clone, while that of the package is in its place. */
const SAVED = join(import.meta.dirname, '../build/package.json.clone');
const PROGRAM = 'build/bundle/waybridge.js';

if (process.argv[2] === 'prepack') replace();
else if (existsSync(SAVED)) renameSync(SAVED, MANIFEST);

function replace() {
  // That of the package is there already if a process was killed before it restored that of the clone.
  if (!('bin' in read(MANIFEST))) writeFileSync(SAVED, readFileSync(MANIFEST));
  const { dependencies, devDependencies, overrides, workspaces, scripts, ...rest } = read(SAVED);
  const names = read(join(import.meta.dirname, 'external-packages.json'));
  const external = Object.fromEntries(names.map((name) => [name, dependencies[name]]));
  const published = { ...rest, bin: { waybridge: PROGRAM }, dependencies: external };
  writeFileSync(MANIFEST, `${JSON.stringify(published, null, 2)}\n`);
}

function read(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
