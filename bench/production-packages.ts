import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of the lock file. */
interface LockedPackage {
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** Size of the installed packages that `npm prune --omit=dev` keeps: the blocks of their files, in MB. */
export function productionMegabytes(): number {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const kept = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  );
  const bytes = kept.reduce((sum, [path]) => sum + (existsSync(path) ? bytesOf(path) : 0), 0);
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
