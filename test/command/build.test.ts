import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../processes/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');

const SCRIPTS = {
  'build:server': `mkdir -p build/bundle && echo > build/bundle/waybridge.js && echo server >> built`,
  'build:element': `mkdir -p dist && echo > dist/service-web-components.umd.js && echo element >> built`,
};

/** A project whose build scripts only note that they ran. */
async function project() {
  const folder = await temporaryFolder();
  await cp(join(root, 'command'), join(folder, 'command'), { recursive: true });
  for (const name of ['schema', 'server', 'element']) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'one.ts'), '');
  }
  const files = {
    'package.json': { scripts: SCRIPTS },
    'package-lock.json': {},
    'tsconfig.json': { include: ['schema', 'server', 'element', 'test'] },
    LICENSE: '',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content));
  const built = async (): Promise<string[]> => {
    await writeFile(join(folder, 'built'), '');
    await promisify(execFile)(process.execPath, ['command/build.js'], { cwd: folder });
    return (await readFile(join(folder, 'built'), 'utf8')).split('\n').filter(Boolean);
  };
  return { folder, built };
}

test('a build makes what has changed since the last one, and nothing else', async () => {
  const { folder, built } = await project();
  expect(await built()).toEqual(['server', 'element']);
  expect(await built()).toEqual([]);
  await writeFile(join(folder, 'server/one.ts'), '//');
  expect(await built()).toEqual(['server']);
  await utimes(join(folder, 'element/one.ts'), 1, 1);
  expect(await built()).toEqual(['element']);
  await rm(join(folder, 'schema/one.ts'));
  expect(await built()).toEqual(['server', 'element']);
  await rm(join(folder, 'dist'), { recursive: true });
  expect(await built()).toEqual(['element']);
});

test('a build that fails is made again', async () => {
  const { folder, built } = await project();
  await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { ...SCRIPTS, 'build:server': 'exit 1' } }));
  await expect(built()).rejects.toThrow();
  await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: SCRIPTS }));
  expect(await built()).toEqual(['server', 'element']);
});
