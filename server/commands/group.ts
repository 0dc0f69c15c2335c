import { type Command, Option } from 'commander';

import type { CommonOptions } from '../command-line/answer.ts';
import { answering, operatorCommand } from '../command-line/operator-command.ts';
import { UsageError } from '../command-line/usage-error.ts';

interface AddOptions extends CommonOptions {
  readonly account: string;
  readonly name: string;
  readonly parent?: string;
}

interface UpdateOptions extends CommonOptions {
  readonly group: string;
  readonly name?: string;
  readonly active?: 'true' | 'false';
}

/** `group add` and `group update` */
export function addGroupCommands(program: Command): void {
  const group = program.command('group').description('The hierarchy that restricts what users see');

  operatorCommand(group, 'add', {
    summary: 'Add a group to an account',
    example: 'group add --account KEY --name North --parent KEY',
  })
    .requiredOption('--account <key>', 'account of the group')
    .requiredOption('--name <name>', 'name of the group')
    .option('--parent <key>', 'active group above it (default: the account itself)')
    .action(
      answering(async ({ account, name, parent }: AddOptions) => {
        const { addGroup } = await import('../../resolvers/groups/add-group.ts');
        const group_key = await addGroup({ account, name, ...(parent !== undefined && { parent }) });
        return { title: 'Group added', json: { group_key } };
      }),
    );

  operatorCommand(group, 'update', {
    summary: 'Rename, deactivate or activate a group; what is not given stays',
    example: 'group update --group KEY --active false',
  })
    .requiredOption('--group <key>', 'group to change')
    .option('--name <name>', 'new name')
    .addOption(new Option('--active <boolean>', 'whether listings show it').choices(['true', 'false']))
    .action(async (options: UpdateOptions) => {
      if (options.name === undefined && options.active === undefined) {
        throw new UsageError('Nothing to change; give --name, --active or both');
      }
      await update(options);
    });
}

const update = answering(async ({ group: key, name, active }: UpdateOptions) => {
  const { updateGroup } = await import('../../resolvers/groups/update-group.ts');
  await updateGroup(key, {
    ...(name !== undefined && { name }),
    ...(active !== undefined && { active: active === 'true' }),
  });
  return { title: 'Group updated', json: { group_key: key } };
});
