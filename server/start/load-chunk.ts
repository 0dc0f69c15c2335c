import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { Script } from 'node:vm';

/** The folders of the built program and of V8's code for it. */
const FOLDER = import.meta.dirname;
const CODE_FOLDER = join(FOLDER, 'code');

const requirePackage = createRequire(import.meta.filename);
const modules = new Map<string, { exports: unknown }>();
const scripts = new Map<string, Script>();

/**
 * Loads a chunk of the built program (a CommonJS file in its folder), and the chunks that it requires.
 *
 * V8's code of a chunk is taken from the build, see {@link storeCode}: parsing and compiling take a third of the CPU time of
 * a start. Code that another version of V8 made is ignored by V8, and the chunk is compiled.
 */
export function loadChunk(name: string): unknown {
  const loaded = modules.get(name);
  if (loaded !== undefined) return loaded.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const filename = join(FOLDER, name);
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, 'latin1')}\n})`;
  const cachedData = readCode(name);
  const script = new Script(source, { filename, ...(cachedData && { cachedData }) });
  scripts.set(name, script);
  script.runInThisContext()(module.exports, requireChunk, module, filename, FOLDER);
  return module.exports;
}

/** Stores V8's code of all loaded chunks, with the functions that have run. */
export function storeCode(): void {
  mkdirSync(CODE_FOLDER, { recursive: true });
  for (const [name, script] of scripts) writeFileSync(join(CODE_FOLDER, name), script.createCachedData());
}

function requireChunk(id: string): unknown {
  return id.startsWith('./') ? loadChunk(basename(id)) : requirePackage(id);
}

function readCode(name: string): Buffer | undefined {
  try {
    return readFileSync(join(CODE_FOLDER, name));
  } catch {
    return undefined;
  }
}
