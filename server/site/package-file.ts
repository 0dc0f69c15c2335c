import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A file of the package, by its path from the package's root. The root is found from the sources and from `build/`
 * alike, since assets are not copied when the server is compiled.
 *
 * @returns null where there is no such file
 */
export async function readPackageFile(path: string): Promise<Buffer | null> {
  return readFile(join(packageRoot(), path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('The files of the package are not where its program is');
    folder = parent;
  }
  return folder;
}
