import type { Command } from 'commander';

import { formatOffsetDateTime } from '../../schema/date-time.ts';

import type { CommonOptions } from '../command-line/answer.ts';
import { answering, operatorCommand } from '../command-line/operator-command.ts';
import { passwordFromStdin } from '../command-line/password-stdin.ts';

interface AddOptions extends CommonOptions {
  readonly account: string;
  readonly email: string;
  readonly group?: readonly string[];
}

interface UserOptions extends CommonOptions {
  readonly user: string;
}

interface EnableOptions extends UserOptions {
  readonly email?: string;
  readonly revokeGrants?: true;
}

interface SetPasswordOptions extends UserOptions {
  readonly revokeGrants?: true;
}

/** `user add`, `user disable`, `user enable`, `user set-password` and `user reset-link` */
export function addUserCommands(program: Command): void {
  const group = program.command('user').description('People who sign in for an account');

  operatorCommand(group, 'add', {
    summary: 'Add a user to an account',
    example: 'user add --account KEY --email bob@example.com --password-stdin --group KEY < password.txt',
  })
    .requiredOption('--account <key>', 'account of the user')
    .requiredOption('--email <address>', 'address to sign in with, unique among the users who are not disabled')
    .requiredOption('--password-stdin', 'read the password from standard input: 15 characters or more')
    .option('--group <key...>', 'group to which the user is restricted; may be repeated')
    .action(
      answering(async ({ account, email, group: groups = [] }: AddOptions) => {
        const signIn = { email, password: await passwordFromStdin() };
        const { addUser } = await import('../../resolvers/users/add-user.ts');
        return { title: 'User added', json: { user_key: await addUser({ account, signIn, groups }) } };
      }),
    );

  operatorCommand(group, 'disable', {
    summary: 'Shut a user out, with every token that acts for the user; the e-mail address is free then',
    example: 'user disable --user KEY',
  })
    .requiredOption('--user <key>', 'user to shut out')
    .action(
      answering(async ({ user }: UserOptions) => {
        const { disableUser } = await import('../../resolvers/users/disable-user.ts');
        await disableUser(user);
        return { title: 'User disabled', json: { user_key: user } };
      }),
    );

  operatorCommand(group, 'enable', {
    summary: 'Let a disabled user in again, with the password and the grants of before',
    example: 'user enable --user KEY --revoke-grants',
  })
    .requiredOption('--user <key>', 'user to let in')
    .option('--email <address>', 'another address to sign in with, where somebody has taken the one before')
    .option('--revoke-grants', 'end what the user had allowed applications')
    .action(
      answering(async ({ user, email, revokeGrants }: EnableOptions) => {
        const { enableUser } = await import('../../resolvers/users/enable-user.ts');
        const request = { user, revokesGrants: revokeGrants === true, ...(email !== undefined && { email }) };
        return { title: 'User enabled', json: { user_key: user, email: await enableUser(request) } };
      }),
    );

  operatorCommand(group, 'set-password', {
    summary: 'Set the password of a user, who is signed out everywhere',
    example: 'user set-password --user KEY --password-stdin < password.txt',
  })
    .requiredOption('--user <key>', 'user whose password it is')
    .requiredOption('--password-stdin', 'read the password from standard input: 15 characters or more')
    .option('--revoke-grants', 'end what the user has allowed applications, too')
    .action(
      answering(async ({ user, revokeGrants }: SetPasswordOptions) => {
        const password = await passwordFromStdin();
        const { setPassword } = await import('../../resolvers/security/set-password.ts');
        await setPassword({ user, password, revokesGrants: revokeGrants === true });
        return { title: 'Password set', json: { user_key: user } };
      }),
    );

  operatorCommand(group, 'reset-link', {
    summary: 'Print a link by which a user sets a new password once, within an hour',
    example: 'user reset-link --user KEY',
  })
    .requiredOption('--user <key>', 'user who has lost the password')
    .action(
      answering(async ({ user }: UserOptions, { authUrl }) => {
        const { issueResetLink } = await import('../../resolvers/security/reset-link.ts');
        const { RESET_PATH } = await import('../account-pages/security-paths.ts');
        const { token, email, expires } = await issueResetLink(user);
        return {
          title: 'Reset link issued',
          json: {
            reset_link: `${authUrl}${RESET_PATH}?token=${token}`,
            email,
            expires: formatOffsetDateTime(expires),
          },
          note: 'Hand it to the user and nobody else: whoever opens it can set the password. A newer link ends this one.',
        };
      }),
    );
}
