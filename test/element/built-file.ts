import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The component as embedders load it, built anew where its source is younger. Test files may ask at the same time. */
export async function builtFile(): Promise<string> {
  const file = at('dist/service-web-components.umd.js');
  const built = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (built < (await youngest(['element', 'schema']))) await rebuild(file);
  return file;
}

async function youngest(folders: readonly string[]): Promise<number> {
  const files = (
    await Promise.all(folders.map(async (folder) => (await readdir(at(folder))).map((name) => at(`${folder}/${name}`))))
  ).flat();
  return Math.max(...(await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs))));
}

/** Builds beside the place and renames, so that nobody reads half a file. */
async function rebuild(file: string): Promise<void> {
  const outDir = await mkdtemp(`${dirname(file)}-`).catch(() => mkdtemp(join(tmpdir(), 'element-')));
  try {
    await build({ configFile: at('element/vite.config.ts'), build: { outDir }, logLevel: 'warn' });
    const { mkdir } = await import('node:fs/promises');
    await mkdir(dirname(file), { recursive: true });
    await rename(join(outDir, 'service-web-components.umd.js'), file);
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}
