import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The place of a file of the project. */
export const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Names of the built files by the engine that they contain. */
export const BUILT_FILES = {
  'mapbox-gl': 'service-web-components.umd.js',
  'maplibre-gl': 'service-web-components.maplibre.umd.js',
} as const;

/** The engines, of which each built file contains one. */
export const ENGINES = Object.keys(BUILT_FILES) as Engine[];
export type Engine = keyof typeof BUILT_FILES;

/** The component as embedders load it, built again where its source is younger. Test files may ask at the same time. */
export async function builtFile(engine: Engine = 'mapbox-gl'): Promise<string> {
  const file = at(`dist/${BUILT_FILES[engine]}`);
  const built = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (built < (await youngest(SOURCES))) await rebuild(file, engine);
  return file;
}

/** The folders that the component is built from. */
export const SOURCES = ['element', 'schema'];

/** When a file in these folders was changed last, in milliseconds since 1970. */
export async function youngest(folders: readonly string[]): Promise<number> {
  const inFolder = async (folder: string): Promise<string[]> =>
    (await readdir(at(folder), { recursive: true })).map((name) => at(`${folder}/${name}`));
  const files = (await Promise.all(folders.map(inFolder))).flat();
  const times = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
  return Math.max(...times);
}

/**
 * Builds as `npm run build:element` does, in a process of its own, because a test's NODE_ENV would make it a development
 * build; and beside the place, to be renamed, so that nobody reads half a file.
 */
async function rebuild(file: string, engine: Engine): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const outDir = await mkdtemp(join(dirname(file), 'build-'));
  try {
    const vite = at('node_modules/vite/bin/vite.js');
    const config = ['--config', at('element/vite.config.ts'), '--mode', engine];
    await runNode(vite, 'build', ...config, '--outDir', outDir, '--logLevel', 'warn');
    await rename(join(outDir, BUILT_FILES[engine]), file);
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

/** Runs a program of a package as somebody does who does not test. */
export async function runNode(...command: string[]): Promise<string> {
  const { NODE_ENV: _, ...env } = process.env;
  return (await promisify(execFile)(process.execPath, command, { env })).stdout;
}
