import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { temporaryFolder } from './temporary-folder.ts';

const root = join(import.meta.dirname, '../..');

/** A folder of TypeScript modules beside the packages of the project, as a user of the service has one. */
export class TypescriptFolder {
  private constructor(readonly path: string) {}

  /** A folder with these files, which is removed when the test ends. */
  static async with(files: Readonly<Record<string, string>>): Promise<TypescriptFolder> {
    const folder = new TypescriptFolder(await temporaryFolder());
    await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'));
    await writeFile(join(folder.path, 'package.json'), JSON.stringify({ type: 'module' }));
    for (const [name, text] of Object.entries(files)) await folder.write(name, text);
    return folder;
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.path, name), text);
  }

  /** Compiles a file with those that it imports, strictly; returns the errors. */
  async compile(file: string): Promise<string> {
    const compilerOptions = {
      ...{ strict: true, skipLibCheck: true, types: [], target: 'es2022', lib: ['es2023', 'dom'], module: 'preserve' },
      ...{ rewriteRelativeImportExtensions: true, verbatimModuleSyntax: true, outDir: 'out', rootDir: '.' },
    };
    await this.write('tsconfig.json', JSON.stringify({ compilerOptions, files: [file] }));
    const compiler = join(root, 'node_modules/.bin/tsc');
    const run = promisify(execFile)(compiler, ['-p', this.path]);
    return (await run.catch((error: { stdout: string }) => error)).stdout;
  }

  /** Loads what a file has been compiled to. */
  async load<Module>(file: string): Promise<Module> {
    return import(pathToFileURL(join(this.path, 'out', file.replace(/\.ts$/, '.js'))).href);
  }
}
