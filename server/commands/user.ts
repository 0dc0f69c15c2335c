import { type Command, Option } from 'commander';

import { formatOffsetDateTime } from '../../schema/date-time.ts';

import { command, type Texts } from '../command-line/operator-command.ts';
import { passwordFromStdin } from '../command-line/password-stdin.ts';
import { UsageError } from '../command-line/usage-error.ts';

interface AddOptions extends Texts<'account' | 'email', 'role' | 'firstName' | 'lastName'> {
  readonly group?: readonly string[];
}

type UpdateOptions = Texts<'user', 'role' | 'firstName' | 'lastName'>;

interface GrantOptions {
  readonly revokeGrants?: true;
}

const ROLES = ['administrator', 'viewer', 'driver'];

function roleOption(): Option {
  return new Option('--role <role>', 'rights of the user in the account').choices(ROLES);
}

/** `user add`, `user list`, `user update`, `user disable`, `user enable`, `user set-password` and `user reset-link` */
export function addUserCommands(program: Command): void {
  const group = program.command('user').description('People who sign in to an account');

  command(group, 'add', 'Add a user to an account')
    .example('user add --account KEY --email bob@example.com --password-stdin --group KEY < password.txt')
    .requiredOption('--account <key>', 'account of the user')
    .requiredOption('--email <address>', 'e-mail address for signing in, unique among users who are not disabled')
    .requiredOption('--password-stdin', 'read the password from standard input: 15 characters or more')
    .option('--group <key...>', 'group to which the user is restricted; may be repeated')
    .addOption(roleOption().default('administrator'))
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .answers(async ({ account, email, group: groups = [], role, firstName, lastName }: AddOptions) => {
      const signIn = { email, password: await passwordFromStdin() };
      const { addUser } = await import('../../resolvers/users/manage-user.ts');
      const user_key = await addUser({ account, signIn, groups, role, firstName, lastName });
      return { title: 'User added', json: { user_key } };
    });

  command(group, 'list', 'List the users of an account')
    .example('user list --account KEY --json')
    .requiredOption('--account <key>', 'account of the users')
    .answers(async ({ account }: Texts<'account'>) => {
      const { listUsers } = await import('../../resolvers/users/manage-user.ts');
      const users = await listUsers(account);
      const lines = users.map(
        ({ user_key, email, account_role, disabled }) =>
          `  ${user_key}  ${email ?? '(no e-mail address)'}  ${account_role}${disabled ? ', disabled' : ''}`,
      );
      return { title: `Users of ${account}`, json: { users }, lines };
    });

  command(group, 'update', 'Change the name or the role of a user; only the options given are changed')
    .example('user update --user KEY --role viewer')
    .requiredOption('--user <key>', 'user to change')
    .addOption(roleOption())
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .hook('preAction', (update) => {
      const { role, firstName, lastName } = update.opts<UpdateOptions>();
      if (role === undefined && firstName === undefined && lastName === undefined) {
        throw new UsageError('Nothing to change; give --role, --first-name or --last-name');
      }
    })
    .answers(async ({ user: user_key, ...change }: UpdateOptions) => {
      const { updateAnyUser } = await import('../../resolvers/users/manage-user.ts');
      await updateAnyUser(user_key, change);
      return { title: 'User updated', json: { user_key } };
    });

  command(
    group,
    'disable',
    'Disable a user and invalidate all tokens of the user; the e-mail address can be used again',
  )
    .example('user disable --user KEY')
    .requiredOption('--user <key>', 'user to disable')
    .answers(async ({ user }: Texts<'user'>) => {
      const { disableUser } = await import('../../resolvers/users/manage-user.ts');
      await disableUser(user);
      return { title: 'User disabled', json: { user_key: user } };
    });

  command(group, 'enable', 'Re-enable a disabled user, with the same password and grants as before')
    .example('user enable --user KEY --revoke-grants')
    .requiredOption('--user <key>', 'user to enable')
    .option('--email <address>', 'new e-mail address for signing in, if another user has taken the previous one')
    .option('--revoke-grants', 'revoke the access that the user had granted to applications')
    .answers(async ({ user, email, revokeGrants }: Texts<'user', 'email'> & GrantOptions) => {
      const { enableUser } = await import('../../resolvers/users/manage-user.ts');
      const signedInBy = await enableUser({ user, email, revokesGrants: revokeGrants === true });
      return { title: 'User enabled', json: { user_key: user, email: signedInBy } };
    });

  addPasswordCommands(group);
}

function addPasswordCommands(group: Command): void {
  command(group, 'set-password', 'Set the password of a user and end all sessions of the user')
    .example('user set-password --user KEY --password-stdin < password.txt')
    .requiredOption('--user <key>', 'user whose password is set')
    .requiredOption('--password-stdin', 'read the password from standard input: 15 characters or more')
    .option('--revoke-grants', 'also revoke the access that the user has granted to applications')
    .answers(async ({ user, revokeGrants }: Texts<'user'> & GrantOptions) => {
      const password = await passwordFromStdin();
      const { setPassword } = await import('../../resolvers/security/set-password.ts');
      await setPassword({ user, password, revokesGrants: revokeGrants === true });
      return { title: 'Password set', json: { user_key: user } };
    });

  command(group, 'reset-link', 'Print a link with which a user can set a new password, once, within an hour')
    .example('user reset-link --user KEY')
    .requiredOption('--user <key>', 'user who has lost the password')
    .answers(async ({ user }: Texts<'user'>, { authUrl }) => {
      const { issueResetLink } = await import('../../resolvers/security/reset-link.ts');
      const { RESET_PATH } = await import('../../resolvers/security/reset-path.ts');
      const { token, email, expires: expiry } = await issueResetLink(user);
      const reset_link = `${authUrl}${RESET_PATH}?token=${token}`;
      return {
        title: 'Reset link issued',
        json: { reset_link, email, expires: formatOffsetDateTime(expiry) },
        note: 'Give it to the user only: whoever opens it can set the password. A newer link invalidates it.',
      };
    });
}
