import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import externalPackages from '../command/external-packages.json' with { type: 'json' };

/** A package of the lock file. */
interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Files and folders of the package that the program needs, and readers. */
const PACKAGE_FILES = ['build/bundle', 'dist', 'docs', 'ops', 'server', 'element/examples', 'schema.graphql'];

/**
 * Size of an installation of the package: the blocks of its own files, with V8's code of them, and of the packages that the
 * program does not contain, with theirs, in MB.
 */
export function productionMegabytes(): number {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const needed = new Set<string>();
  const add = (name: string): void => {
    const path = `node_modules/${name}`;
    if (needed.has(path) || !existsSync(path)) return;
    needed.add(path);
    const { dependencies, optionalDependencies } = packages[path] ?? {};
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) add(other);
  };
  for (const name of externalPackages) add(name);
  const bytes = [...PACKAGE_FILES, ...needed].reduce((sum, path) => sum + bytesOf(path), 0);
  return Math.round(bytes / 1024 / 1024);
}

/** Blocks of a folder, without packages within it, which the lock file lists too. */
function bytesOf(path: string): number {
  const found = lstatSync(path);
  const own = found.blocks * 512;
  if (!found.isDirectory()) return own;
  const names = readdirSync(path).filter((name) => name !== 'node_modules');
  return names.reduce((sum, name) => sum + bytesOf(join(path, name)), own);
}
