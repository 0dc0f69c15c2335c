import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { afterAll, beforeAll } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
/** Folders of the root that a copy does without, or links. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'build', 'dist', 'data']);

/** Outcome of a command: its exit code, and all that it printed. */
export interface CommandOutcome {
  readonly code: number;
  readonly output: string;
}

/** Copy of this project in a temporary folder, to be changed as a maintainer would change it. */
export class TreeCopy {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Copies the sources; the dependencies are linked. */
  async fill(): Promise<void> {
    await cp(ROOT, this.#folder, { recursive: true, filter: (path) => !LEFT_OUT.has(relative(ROOT, path)) });
    await symlink(join(ROOT, 'node_modules'), this.path('node_modules'));
  }

  /** Path of a file of the copy. */
  path(relativePath: string): string {
    return join(this.#folder, relativePath);
  }

  /** Writes a new file. */
  async add(path: string, text: string): Promise<void> {
    await writeFile(join(this.#folder, path), text, { flag: 'wx' });
  }

  /**
   * Inserts lines after the one line that holds `after`.
   *
   * @throws Error unless exactly one line holds it
   */
  async insert(path: string, after: string, lines: string): Promise<void> {
    const file = join(this.#folder, path);
    const before = (await readFile(file, 'utf8')).split('\n');
    const found = before.flatMap((line, at) => (line.includes(after) ? [at] : []));
    const [at] = found;
    if (at === undefined || found.length > 1) throw new Error(`${path} has ${found.length} lines with: ${after}`);
    await writeFile(file, [...before.slice(0, at + 1), lines, ...before.slice(at + 1)].join('\n'));
  }

  /** Runs a program of the dependencies, or `node`, in the copy. */
  async run(program: string, ...args: readonly string[]): Promise<CommandOutcome> {
    const command = program === 'node' ? process.execPath : join(this.#folder, 'node_modules/.bin', program);
    return new Promise((resolve) => {
      execFile(command, args, { cwd: this.#folder, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr });
      });
    });
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Makes a copy of this project before the tests of a file, and removes it after them. */
export function useTreeCopy(): TreeCopy {
  const tree = new TreeCopy(mkdtempSync(join(tmpdir(), 'waybridge-tree-')));
  beforeAll(() => tree.fill());
  afterAll(() => tree.remove());
  return tree;
}
