import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { at } from './built-file.ts';

const run = promisify(execFile);

/** A package as `npm pack` has written it. */
export interface Packed {
  /** The tarball. */
  readonly file: string;
  /** Paths of the files in it. */
  readonly paths: readonly string[];
}

/** Packs workspaces in a copy of them, since packing adds files for a moment, and installs packages where nothing is downloaded. */
export class PackedWorkspaces {
  /** The project of somebody who installs packages. */
  readonly elsewhere: string;

  private constructor(
    private readonly folder: string,
    readonly clone: string,
  ) {
    this.elsewhere = join(folder, 'elsewhere');
  }

  /** Copies what these workspaces are packed from. */
  static async create(workspaces: readonly string[]): Promise<PackedWorkspaces> {
    const folder = await mkdtemp(join(tmpdir(), 'waybridge-packed-'));
    const clone = join(folder, 'clone');
    const sources = ['command', 'dist', 'LICENSE', 'tsconfig.json', ...workspaces];
    await Promise.all(sources.map((path) => cp(at(path), join(clone, path), { recursive: true })));
    await symlink(at('node_modules'), join(clone, 'node_modules'));
    await mkdir(join(folder, 'elsewhere/node_modules'), { recursive: true });
    return new PackedWorkspaces(folder, clone);
  }

  async pack(workspace: string): Promise<Packed> {
    const cwd = join(this.clone, workspace);
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', this.clone], { cwd });
    const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [
      { readonly filename: string; readonly files: readonly { readonly path: string }[] },
    ];
    return { file: join(this.clone, packed.filename), paths: packed.files.map(({ path }) => path) };
  }

  /** Installs a package, and links to others of the project, since nothing is downloaded. */
  async install({ file }: Packed, ...names: readonly string[]): Promise<void> {
    const options = ['--offline', '--no-audit', '--no-fund', '--cache', join(this.folder, 'cache')];
    const packages = [file, ...names.map((name) => at(`node_modules/${name}`))];
    await run('npm', ['install', ...options, ...packages], { cwd: this.elsewhere });
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
