import { expect, test, vi } from 'vitest';

import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { askWaybridge, outcomeOf, spawnWaybridge } from '../../processes/waybridge-process.ts';

import { useTreeCopy } from './tree-copy.ts';

// A tree is compiled.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const COMMAND = `import type { Command } from 'commander';

import { command, type Texts } from '../shell/operator-command.ts';

/** \`fleet show\` */
export function addFleetCommands(program: Command): void {
  const group = program.command('fleet').description('All vehicles of an account');

  command(group, 'show', 'Count the vehicles of an account')
    .example('fleet show --account KEY')
    .requiredOption('--account <key>', 'account whose vehicles are counted')
    .answers(async ({ account }: Texts<'account'>, { service }) => {
      const { existingAccountScope } = await import('../../models/lookup/any-record.ts');
      const { VehicleStore } = await import('../../models/vehicles/vehicle.ts');
      const accessScope = await existingAccountScope(service, account);
      return { title: 'Fleet', json: { vehicles: await VehicleStore.countDocuments(accessScope) } };
    });
}
`;

/** The file that puts the command line together. */
const PROGRAM = 'cli/program.ts';
const TABLE_TEST = ['run', '-t', 'every command is in the table of commands', 'test/journeys/documentation.test.ts'];
const HELP_TEST = ['run', 'test/cli/commands/help.test.ts'];

const tree = useTreeCopy();

test('a command is a file, its entry in the program and a row of its page', async () => {
  const settings = { DATA_DIR: await temporaryFolder(), LOG_LEVEL: 'error' };
  const { key: account_key } = await askWaybridge(['account', 'add', '--nickname', 'Bakery'], settings);
  await askWaybridge(['vehicle', 'add', '--account', String(account_key), '--nickname', 'Van 3'], settings);

  await tree.add('cli/commands/fleet.ts', COMMAND);
  await tree.insert(PROGRAM, "'./commands/device.ts'", "import { addFleetCommands } from './commands/fleet.ts';");
  await tree.insert(PROGRAM, '  addDeviceCommands,', '  addFleetCommands,');
  expect(await tree.run('vitest', ...TABLE_TEST)).toMatchObject({ output: expect.stringContaining('fleet show') });
  await tree.insert('docs/command-line.md', '| `device list`,', '| `fleet show` | counts the vehicles of an account |');
  expect(await tree.run('vitest', ...TABLE_TEST)).toMatchObject({ code: 0 });
  expect(await tree.run('vitest', ...HELP_TEST)).toMatchObject({ code: 0 });
  expect(await tree.run('biome', 'ci', 'cli')).toMatchObject({ code: 0 });
  expect(await tree.run('tsc', '-p', '.')).toMatchObject({ code: 0 });
  expect(await tree.run('vite', 'build', '--config', 'server/vite.config.ts')).toMatchObject({ code: 0 });

  const run = (...args: readonly string[]) =>
    outcomeOf(spawnWaybridge(args, settings, tree.path('build/bundle/waybridge.js')));
  expect((await run('--help')).stdout).toMatch(/^ {2}fleet +All vehicles of an account$/m);
  expect((await run('fleet', 'show', '--help')).stdout).toContain('$ waybridge fleet show --account KEY');
  const shown = await run('fleet', 'show', '--account', String(account_key), '--json');
  expect(shown).toMatchObject({ code: 0, stdout: '{"vehicles":1}\n', stderr: '' });
});
