import type { Command } from 'commander';

import type { CommonOptions } from '../command-line/answer.ts';
import { answering, operatorCommand } from '../command-line/operator-command.ts';

interface IssueOptions extends CommonOptions {
  readonly account: string;
}

interface RevokeOptions extends CommonOptions {
  readonly id: string;
}

/** `api-key issue` and `api-key revoke` */
export function addApiKeyCommands(program: Command): void {
  const group = program.command('api-key').description("Credentials of an account's owner");

  operatorCommand(group, 'issue', {
    summary: 'Issue an API key to the owner of an account',
    example: 'api-key issue --account KEY',
  })
    .requiredOption('--account <key>', 'account that the key opens')
    .action(
      answering(async ({ account }: IssueOptions) => {
        const { existingAccountScope } = await import('../../resolvers/input/existing-account.ts');
        const { issueApiKey } = await import('../../auth/api-keys.ts');
        const { account_key } = await existingAccountScope(account);
        const { api_key, key: id } = await issueApiKey(account_key);
        return {
          title: 'API key issued',
          json: { api_key, id },
          note: 'Keep the API key: it is shown this once. Its id revokes it.',
        };
      }),
    );

  operatorCommand(group, 'revoke', {
    summary: 'Revoke an API key at once; repeating it is fine',
    example: 'api-key revoke --id ID',
  })
    .requiredOption('--id <id>', 'the id with which the key was issued')
    .action(
      answering(async ({ id }: RevokeOptions) => {
        const { revokeAnyApiKey } = await import('../../resolvers/account/revoke-any-api-key.ts');
        await revokeAnyApiKey(id);
        return { title: 'API key revoked', json: { id, revoked: true } };
      }),
    );
}
