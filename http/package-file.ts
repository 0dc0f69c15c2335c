import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Reads a file of the package, by its path from the package's root. The root is found from the sources and from `build/`
 * alike, since assets are not copied when the server is compiled.
 */
export async function readPackageFile(path: string): Promise<Buffer> {
  return readFile(join(packageRoot(), path));
}

/** Version of the program. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { readonly version: string })
    .version;
}

/** Names of the files in a folder of the package. */
export async function packageFolder(path: string): Promise<string[]> {
  return readdir(join(packageRoot(), path));
}

/** Folder of the package's root. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'LICENSE'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('The files of the package are not next to its program');
    folder = parent;
  }
  return folder;
}
