import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { optionName } from '../../../cli/shell/setting-options.ts';
import { SETTINGS } from '../../../server/configuration/config.ts';
import { createProgram } from '../../../cli/program.ts';
import { leavesOf } from '../../processes/command-leaves.ts';
import { runCommand } from '../../processes/run-command.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

const SECRET = 'correct.horse.battery.staple';

test('config prints what holds and where it comes from, and no secret', async () => {
  const file = join(await temporaryFolder(), 'metrics');
  await writeFile(file, `${SECRET}\n`);
  const settings = { METRICS_TOKEN_FILE: file, MONGODB_URI: `mongodb://ada:${SECRET}@db.example/`, HOST: '::' };
  const args = ['config', '--port', '9000'];
  const { stdout: json } = await runCommand([...args, '--json'], settings);
  expect(JSON.parse(json).settings).toEqual(
    expect.arrayContaining([
      { name: 'PORT', value: '9000', source: 'option' },
      { name: 'HOST', value: '::', source: 'environment' },
      { name: 'BASE_URL', value: 'https://localhost:9000/api/v2', source: 'default' },
      { name: 'TLS_CERT', value: null, source: null },
      { name: 'METRICS_TOKEN', value: null, source: 'file' },
      { name: 'MONGODB_URI', value: null, source: 'environment' },
    ]),
  );
  const { stdout } = await runCommand(args, settings);
  expect(stdout).toMatch(/^PORT +9000 +option$/m);
  expect(stdout).toMatch(/^METRICS_TOKEN +\(secret\) +file$/m);
  expect(stdout).toMatch(/^TLS_CERT +not set$/m);
  expect(json + stdout).not.toContain(SECRET);
});

test('config refuses settings with which the service would not start', async () => {
  const { code, stderr } = await runCommand(['config', '--tls-cert', 'cert.pem'], {});
  expect([code, stderr]).toEqual([1, 'TLS_KEY must be given together with TLS_CERT; set both or neither\n']);
});

test('a setting is an option of every command, before and after its name', async () => {
  const folder = await temporaryFolder();
  const list = ['account', 'list', '--json'];
  await runCommand(['account', 'add', '--nickname', 'Bakery', '--data-dir', folder], {});
  const { stdout } = await runCommand(['--data-dir', folder, ...list], { DATA_DIR: '/nowhere' });
  expect(JSON.parse(stdout).nodes).toMatchObject([{ nickname: 'Bakery' }]);
});

test.each(Object.values(SETTINGS).filter(({ isSecret }) => isSecret))(
  '$name is no option, since others can read the list of processes',
  async ({ name }) => {
    const { code, stderr } = await runCommand(['config', optionName(name), SECRET], {});
    expect([code, stderr]).toEqual([2, `Unknown option '${optionName(name)}'\n`]);
  },
);

test.each(leavesOf(createProgram()))('no option of %s has the name of a setting', (_, command) => {
  const settings = Object.values(SETTINGS).map(({ name }) => optionName(name));
  for (const { long } of command.options) expect(settings).not.toContain(long);
});
