import type { Command } from 'commander';

import { UNRESTRICTED } from '../../models/tenancy.ts';

import { command, type Texts } from '../command-line/operator-command.ts';

/** `api-key issue` and `api-key revoke` */
export function addApiKeyCommands(program: Command): void {
  const group = program.command('api-key').description("Credentials of an account's owner");

  command(group, 'issue', 'Issue an API key to the owner of an account')
    .example('api-key issue --account KEY')
    .requiredOption('--account <key>', 'account that the API key gives access to')
    .answers(async ({ account }: Texts<'account'>) => {
      const { existingAccountScope } = await import('../../resolvers/input/any-record.ts');
      const { issueApiKey } = await import('../../auth/api-keys.ts');
      const { account_key } = await existingAccountScope(account);
      const { api_key, key: id } = await issueApiKey(account_key);
      return {
        title: 'API key issued',
        json: { api_key, id },
        note: 'Keep the API key: it is shown only once. To revoke it, use its id.',
      };
    });

  command(group, 'revoke', 'Revoke an API key immediately; revoking it again has no effect')
    .example('api-key revoke --id ID')
    .requiredOption('--id <id>', 'id that was printed when the API key was issued')
    .answers(async ({ id }: Texts<'id'>) => {
      const { revokeApiKey } = await import('../../auth/api-keys.ts');
      const { unknownKey } = await import('../../resolvers/input/unknown-key.ts');
      if (!(await revokeApiKey(id, UNRESTRICTED))) throw unknownKey('id', 'an API key (its id)', id);
      return { title: 'API key revoked', json: { id, revoked: true } };
    });
}
