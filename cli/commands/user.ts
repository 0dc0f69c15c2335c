import type { Command } from 'commander';

import { formatOffsetDateTime } from '../../schema/date-time.ts';
import type { UserInput } from '../../schema/account/user.ts';

import type { Answer } from '../shell/answer.ts';
import { command, type Flags, type Texts } from '../shell/operator-command.ts';
import { secretFromStdin } from '../shell/secret-stdin.ts';
import { addResource, argument, argumentsIn, inWordsOf, type Json, recordOf } from '../shell/resource.ts';
import { UsageError } from '../shell/command-error.ts';
import { personOptions, USER } from '../records/account.ts';
import type { Service } from '../../models/store/service.ts';

/** `user`: its own commands, and those that only an operator has */
export function addUserCommands(program: Command): void {
  const group = addResource(program, USER);
  addAdd(group);

  command(
    group,
    'disable',
    'Disable a user and invalidate all tokens of the user; the e-mail address can be used again',
  )
    .example('user disable KEY')
    .argument('<key>', 'key of the user')
    .answers(async (_options, { service }, key) => {
      const { disableUser } = await import('../../resolvers/users/manage-user.ts');
      await disableUser(service, key);
      return { title: 'User disabled', json: { key, disabled: true } };
    });

  command(group, 'enable', 'Re-enable a disabled user, with the same password and grants as before')
    .example('user enable KEY --revoke-grants')
    .argument('<key>', 'key of the user')
    .option(
      '--email <address>',
      'new e-mail address for signing in, if another user of the account has taken the previous one',
    )
    .option('--revoke-grants', 'revoke the access that the user had granted to applications')
    .answers(async ({ email, revokeGrants }: Texts<never, 'email'> & Flags<'revokeGrants'>, { service }, key) => {
      const { enableUser } = await import('../../resolvers/users/manage-user.ts');
      const signedInBy = await enableUser(service, { user: key, email, revokesGrants: revokeGrants === true });
      return { title: 'User enabled', json: { key, email: signedInBy } };
    });

  addPasswordCommands(group);
}

function addPasswordCommands(group: Command): void {
  command(group, 'set-password', 'Set the password of a user and end all sessions of the user')
    .example('user set-password KEY --password-stdin < password.txt')
    .argument('<key>', 'key of the user')
    .requiredOption('--password-stdin', 'read the password from standard input: 15 characters or more')
    .option('--revoke-grants', 'also revoke the access that the user has granted to applications')
    .answers(async ({ revokeGrants }: Flags<'revokeGrants'>, { service }, key) => {
      const password = await secretFromStdin('--password-stdin');
      const { setPassword } = await import('../../auth/passwords/set-password.ts');
      await setPassword(service, { user: key, password, revokesGrants: revokeGrants === true });
      return { title: 'Password set', json: { key } };
    });

  command(group, 'reset-link', 'Print a link with which a user can set a new password, once, within an hour')
    .example('user reset-link KEY')
    .argument('<key>', 'key of the user')
    .answers(async (_options, { config: { authUrl }, service }, key) => {
      const { issueResetLink, RESET_PATH } = await import('../../auth/passwords/reset-link.ts');
      const { token, expires, ...user } = await issueResetLink(service, key);
      const reset_link = `${authUrl}${RESET_PATH}?token=${token}`;
      return {
        title: 'Reset link issued',
        quiet: [reset_link],
        json: { reset_link, ...user, expires: formatOffsetDateTime(expires) },
        note: 'Give it only to the user: anyone who opens it can set the password. A newer link invalidates it.',
      };
    });
}

function addAdd(group: Command): void {
  const options = [
    argument(
      '--email <address>',
      'email',
      'e-mail address for signing in, unique among users of the account who are not disabled',
    ),
    ...personOptions(),
  ];
  const added = command(group, 'add', 'Add a user to an account, with a password or an invitation link')
    .example('user add --account KEY --email bob@example.com --role administrator')
    .requiredOption('--account <key>', 'account of the user')
    .option('--password-stdin', 'read the password from standard input: 15 characters or more');
  for (const option of options) added.addOption(option);
  added.hook('preAction', () => {
    const { passwordStdin, email } = added.opts<Json>();
    if (passwordStdin === true && email === undefined) throw new UsageError('--password-stdin requires --email');
  });
  added.answers(async (given: Json, { config: { authUrl }, service }) => {
    const password = given.passwordStdin === true ? await secretFromStdin('--password-stdin') : null;
    const request = { account: String(given.account), input: argumentsIn(options, given) as UserInput, password };
    return inWordsOf(options, addUserTo(service, request, authUrl));
  });
}

async function addUserTo(
  service: Service,
  { account, input, password }: { account: string; input: UserInput; password: string | null },
  issuer: string,
): Promise<Answer> {
  const { existingAccountScope } = await import('../../models/lookup/any-record.ts');
  const { account_key } = await existingAccountScope(service, account);
  if (password === null) {
    const { askRootField } = await import('../shell/ask-root-field.ts');
    const asked = { field: 'createUser', account_key, issuer, values: { ...input }, relations: [], tree: undefined };
    const user = (await askRootField(service, asked)) as Json;
    const links = user.invitation_url === null ? [] : [String(user.invitation_url)];
    return { title: 'User added', json: user, quiet: [String(user.key), ...links] };
  }
  const { addUser } = await import('../../resolvers/users/manage-user.ts');
  const key = await addUser(service, account_key, input, password);
  return { title: 'User added', json: await recordOf(service, USER, account_key, key, issuer), quiet: [key] };
}
