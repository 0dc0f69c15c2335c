import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { at, builtFile, type Engine, ENGINES, runNode, SOURCES, youngest } from './built-file.ts';

/** The npm package as it would be published, built again where its source is younger. */
export async function builtPackage(): Promise<string> {
  await Promise.all(ENGINES.map((engine) => builtFile(engine)));
  const dist = at('dist');
  const built = await stat(join(dist, 'package.json')).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (built >= (await youngest(SOURCES))) return dist;
  await runNode(at('node_modules/typescript/bin/tsc'), '-p', at('element/package'));
  await runNode(at('node_modules/vite/bin/vite.js'), 'build', '--config', at('element/package/vite.config.ts'));
  return dist;
}

/** A project of somebody who has installed the package, and React's types. */
export class Consumer {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes the project, in which these engines are installed. */
  static async create(engines: readonly Engine[] = ENGINES): Promise<Consumer> {
    const folder = await mkdtemp(join(tmpdir(), 'waybridge-consumer-'));
    await mkdir(join(folder, 'node_modules'));
    await symlink(await builtPackage(), join(folder, 'node_modules/service-web-components'));
    for (const name of ['@types', 'csstype', 'lit', ...engines])
      await symlink(at(`node_modules/${name}`), join(folder, 'node_modules', name));
    const consumer = new Consumer(folder);
    await consumer.write('package.json', '{ "type": "module" }');
    return consumer;
  }

  async write(name: string, text: string): Promise<string> {
    await writeFile(join(this.folder, name), text);
    return join(this.folder, name);
  }

  /** Compiles these files; returns the output of the compiler, empty if there are no errors. */
  async compile(names: readonly string[], options: readonly string[]): Promise<string> {
    const command = [
      at('node_modules/typescript/bin/tsc'),
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--jsx',
      'react-jsx',
      '--lib',
    ];
    const files = names.map((name) => join(this.folder, name));
    return runNode(...command, 'es2023,dom,dom.iterable', '--target', 'es2022', ...options, ...files).catch(
      ({ stdout }: { stdout: string }) => stdout,
    );
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
