import type { Command } from 'commander';

import { CommandError } from '../command-line/command-error.ts';
import { command, type Texts } from '../command-line/operator-command.ts';

/** `grant list` and `grant revoke` */
export function addGrantCommands(program: Command): void {
  const group = program.command('grant').description('Access that users have granted to applications');

  command(group, 'list', 'List the access that a user has granted to applications')
    .example('grant list --user KEY --json')
    .requiredOption('--user <key>', 'user who has granted it')
    .answers(async ({ user }: Texts<'user'>) => {
      const { listGrants } = await import('../../resolvers/apps/list-grants.ts');
      const grants = await listGrants([user]);
      const lines = grants.map(({ key, app_name, scopes }) => `  ${key}  ${app_name}: ${scopes.join(' ')}`);
      return { title: `Grants of ${user}`, json: { grants }, lines };
    });

  command(group, 'revoke', 'Revoke a grant of a user to an application immediately')
    .example('grant revoke --grant KEY')
    .requiredOption('--grant <key>', 'grant to revoke')
    .answers(async ({ grant }: Texts<'grant'>) => {
      const { revokeGrant } = await import('../../auth/grants.ts');
      if (!(await revokeGrant(grant)))
        throw new CommandError('grant must be the key of a grant; grant list shows them');
      return { title: 'Grant revoked', json: { grant, revoked: true } };
    });
}
