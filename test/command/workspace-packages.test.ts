import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { at } from '../browser/built-file.ts';
import { PackedWorkspaces } from '../browser/packed-workspace.ts';

const run = promisify(execFile);

let workspaces: PackedWorkspaces;

beforeAll(async () => {
  workspaces = await PackedWorkspaces.create(['embedded']);
});
afterAll(() => workspaces.remove());

const runHere = (...args: string[]) => run(process.execPath, args, { cwd: workspaces.elsewhere });

test('the embedded database is a package with which the example of its README runs beside Mongoose', async () => {
  const packed = await workspaces.pack('embedded');
  expect(packed.paths).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']));
  expect(packed.paths.filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual([]);
  expect(
    (await readdir(join(workspaces.clone, 'embedded'))).filter((name) => ['dist', 'LICENSE'].includes(name)),
  ).toEqual([]);
  await workspaces.install(packed, 'bson', '@photostructure/sqlite', 'mongoose');
  const readme = await readFile(
    join(workspaces.elsewhere, 'node_modules/waybridge-embedded-database/README.md'),
    'utf8',
  );
  const [, example = ''] = /^```js\n([\s\S]*?)^```/m.exec(readme) ?? [];
  await writeFile(join(workspaces.elsewhere, 'example.mjs'), example);
  const { stdout, stderr } = await runHere('example.mjs');
  expect(stderr).toBe('');
  expect(stdout).toContain("title: 'Emma',\n  year: 1815");
});

test('the embedded database declares its types', async () => {
  await writeFile(
    join(workspaces.elsewhere, 'typed.mts'),
    `import { type EmbeddedDatabase, startEmbeddedDatabase } from 'waybridge-embedded-database';
    export const database: Promise<EmbeddedDatabase> = startEmbeddedDatabase({ file: 'test.db' });
    // @ts-expect-error a file is needed
    startEmbeddedDatabase({});`,
  );
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--types', ''];
  await runHere(at('node_modules/typescript/bin/tsc'), ...options, 'typed.mts');
});
