import type { Command } from 'commander';

import { command } from '../command-line/operator-command.ts';
import { passwordFromStdin } from '../command-line/password-stdin.ts';
import { UsageError } from '../command-line/usage-error.ts';

interface CreateOptions {
  readonly nickname: string;
  readonly plan: string;
  readonly email?: string;
  readonly passwordStdin?: true;
}

/** `account create` */
export function addAccountCommands(program: Command): void {
  const group = program.command('account').description('Customers of the service');

  command(group, 'create', 'Create an account with an owner, an API key and a subscription')
    .example('account create --nickname "Harbour Bakery" --email ada@example.com --password-stdin < password.txt')
    .requiredOption('--nickname <name>', 'name of the business')
    .option('--plan <plan>', 'premium or basic; with basic, API keys are disabled', 'premium')
    .option('--email <address>', "the owner's e-mail address for signing in, unique among users who are not disabled")
    .option('--password-stdin', "read the owner's password from standard input: 15 characters or more")
    .answers(async ({ nickname, plan, email, passwordStdin }: CreateOptions) => {
      if ((email === undefined) !== (passwordStdin === undefined)) {
        throw new UsageError('--email and --password-stdin belong together; give both or neither');
      }
      const signIn = email === undefined ? null : { email, password: await passwordFromStdin() };
      const { createAccount } = await import('../../resolvers/account/create-account.ts');
      const { account_key, owner_key, api_key } = await createAccount({ nickname, plan, signIn });
      return {
        title: 'Account created',
        json: { account_key, owner_key, api_key },
        note: 'Keep the API key: it is shown only once.',
      };
    }, true);
}
