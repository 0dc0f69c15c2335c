import type { Command } from 'commander';

import type { CommonOptions } from './answer.ts';
import { answering, operatorCommand } from './operator-command.ts';
import { passwordFromStdin } from './password-stdin.ts';

interface AddOptions extends CommonOptions {
  readonly account: string;
  readonly email: string;
  readonly group?: readonly string[];
}

interface DisableOptions extends CommonOptions {
  readonly user: string;
}

/** `user add` and `user disable` */
export function addUserCommands(program: Command): void {
  const group = program.command('user').description('People who sign in for an account');

  operatorCommand(group, 'add', {
    summary: 'Add a user to an account',
    example: 'user add --account KEY --email bob@example.com --password-stdin --group KEY < password.txt',
  })
    .requiredOption('--account <key>', 'account of the user')
    .requiredOption('--email <address>', 'address to sign in with, unique in the whole service')
    .requiredOption('--password-stdin', 'read the password from standard input')
    .option('--group <key...>', 'group to which the user is restricted; may be repeated')
    .action(
      answering(async ({ account, email, group: groups = [] }: AddOptions) => {
        const signIn = { email, password: await passwordFromStdin() };
        const { addUser } = await import('../../resolvers/provisioning/add-user.ts');
        return { title: 'User added', json: { user_key: await addUser({ account, signIn, groups }) } };
      }),
    );

  operatorCommand(group, 'disable', {
    summary: 'Shut a user out, with every token that acts for the user',
    example: 'user disable --user KEY',
  })
    .requiredOption('--user <key>', 'user to shut out')
    .action(
      answering(async ({ user }: DisableOptions) => {
        const { disableUser } = await import('../../resolvers/provisioning/disable-user.ts');
        await disableUser(user);
        return { title: 'User disabled', json: { user_key: user } };
      }),
    );
}
