import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { SETTINGS } from '../../server/configuration/config.ts';
import { runCommand } from '../processes/run-command.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { runWaybridge } from '../processes/waybridge-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const document = await readFile(join(ROOT, 'docs/deploy.md'), 'utf8');
const lines = [...document.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.trim().split('\n'));
/** Programs that the tests do not run, as the document says. */
const NOT_RUN = ['sudo', 'docker', 'kubectl', 'mongodump', 'mongorestore', 'operator()'];

test('every command of the document either is run by this test, or begins with a program that it names', () => {
  const programs = new Set(lines.map((line) => line.split(' ')[0]));
  expect([...programs].filter((program) => program !== 'operator').sort()).toEqual(NOT_RUN.sort());
});

test('commands of the operator work in their order', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'var/backups/waybridge'), { recursive: true });
  const settings = { DATA_DIR: join(folder, 'data') };
  const commands = lines.filter((line) => line.startsWith('operator ')).map((line) => line.replace('operator ', ''));
  for (const command of commands) {
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word);
    const args = words.map((word) => (word.startsWith('/') ? join(folder, word) : word));
    // A check opens the file itself, and SQLite of Node.js 20 holds it until garbage is collected or the process ends.
    const run = args.includes('check') ? runWaybridge : runCommand;
    expect(await run(args, settings), command).toMatchObject({ code: 0, stderr: '' });
  }
  const restored = await runCommand(['--data-dir', join(folder, 'tmp/drill'), 'account', 'list'], settings);
  expect(restored.stdout).toContain('Corner bakery');
});

test('files and settings that it names exist', () => {
  const files = document.match(/\bops\/[\w./-]+/g) ?? [];
  expect(files.length).toBeGreaterThan(4);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  const settings = new Set<string>(Object.values(SETTINGS).map(({ name }) => name));
  const named = [...document.matchAll(/`([A-Z]+(?:_[A-Z]+)+)\b/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !settings.has(name))).toEqual([]);
});
