import type { Command } from 'commander';

import type { CommonOptions } from '../command-line/answer.ts';
import { CommandError } from '../command-line/command-error.ts';
import { answering, operatorCommand } from '../command-line/operator-command.ts';

interface ListOptions extends CommonOptions {
  readonly user: string;
}

interface RevokeOptions extends CommonOptions {
  readonly grant: string;
}

/** `grant list` and `grant revoke` */
export function addGrantCommands(program: Command): void {
  const group = program.command('grant').description('What users have allowed applications');

  operatorCommand(group, 'list', {
    summary: 'List what a user has allowed applications',
    example: 'grant list --user KEY --json',
  })
    .requiredOption('--user <key>', 'user who has allowed it')
    .action(
      answering(async ({ user }: ListOptions) => {
        const { listGrants } = await import('../../resolvers/apps/list-grants.ts');
        const grants = await listGrants([user]);
        const lines = grants.map(({ key, app_name, scopes }) => `  ${key}  ${app_name}: ${scopes.join(' ')}`);
        return { title: `Grants of ${user}`, json: { grants }, lines };
      }),
    );

  operatorCommand(group, 'revoke', {
    summary: 'Revoke what a user has allowed an application, at once',
    example: 'grant revoke --grant KEY',
  })
    .requiredOption('--grant <key>', 'grant to revoke')
    .action(
      answering(async ({ grant }: RevokeOptions) => {
        const { revokeGrant } = await import('../../auth/grants.ts');
        if (!(await revokeGrant(grant)))
          throw new CommandError('grant must be the key of a grant; grant list shows them');
        return { title: 'Grant revoked', json: { grant, revoked: true } };
      }),
    );
}
