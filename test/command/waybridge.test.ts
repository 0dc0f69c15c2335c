import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

test('npx finds the command among those that npm ci has linked, so that it installs and builds nothing', async () => {
  const { bin, workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  // With `bin` of its own, npx would install the project into its cache for each command.
  expect({ bin, workspaces }).toEqual({
    bin: undefined,
    workspaces: ['bench', 'client', 'command', 'command/openapi-typescript', 'element', 'embedded'],
  });
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages;
  expect(lock['node_modules/waybridge-command']).toEqual({ resolved: 'command', link: true });
  expect(lock.command.bin).toEqual({ waybridge: 'waybridge.js' });
});

test('several commands run at the same time', async () => {
  const env = { ...process.env, npm_config_offline: 'true', npm_config_yes: 'false' };
  const commands = Array.from({ length: 4 }, () => run('npx', ['waybridge', '--help'], { cwd: root, env }));
  for (const { stdout } of await Promise.all(commands)) expect(stdout).toContain('Usage: waybridge');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect((await run('npx', ['waybridge', '--version'], { cwd: root, env })).stdout).toBe(`${version}\n`);
});
