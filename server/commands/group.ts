import { type Command, Option } from 'commander';

import { command, type Texts } from '../command-line/operator-command.ts';
import { UsageError } from '../command-line/usage-error.ts';

interface UpdateOptions extends Texts<'group', 'name' | 'parent'> {
  readonly active?: 'true' | 'false';
}

const ACTIVE = new Option('--active <boolean>', 'true to show the group in listings, false to hide it');

/** `group add` and `group update` */
export function addGroupCommands(program: Command): void {
  const group = program.command('group').description('Hierarchy of groups that restricts which vehicles users see');

  command(group, 'add', 'Add a group to an account')
    .example('group add --account KEY --name North --parent KEY')
    .requiredOption('--account <key>', 'account of the group')
    .requiredOption('--name <name>', 'name of the group')
    .option('--parent <key>', 'active group above it (default: the account itself)')
    .answers(async (request: Texts<'account' | 'name', 'parent'>) => {
      const { addGroup } = await import('../../resolvers/groups/manage-group.ts');
      return { title: 'Group added', json: { group_key: await addGroup(request) } };
    });

  command(group, 'update', 'Rename, move, deactivate or activate a group; only the options given are changed')
    .example('group update --group KEY --active false')
    .requiredOption('--group <key>', 'group to change')
    .option('--name <name>', 'new name')
    .option('--parent <key>', 'group to move it under, with everything below it; none puts it under the account')
    .addOption(ACTIVE.choices(['true', 'false']))
    .hook('preAction', (update) => {
      const { name, active, parent } = update.opts<UpdateOptions>();
      if (name === undefined && active === undefined && parent === undefined) {
        throw new UsageError('Nothing to change; give --name, --parent or --active');
      }
    })
    .answers(async ({ group: group_key, name, active, parent }: UpdateOptions) => {
      const { updateAnyGroup } = await import('../../resolvers/groups/manage-group.ts');
      await updateAnyGroup(group_key, {
        name,
        active: active && active === 'true',
        ...(parent !== undefined && { parent_group_key: parent === 'none' ? null : parent }),
      });
      return { title: 'Group updated', json: { group_key } };
    });
}
