import type { Command } from 'commander';

import type { AddedUser, UserChange } from '../../content/users/manage-website-user.ts';

import type { Answer } from '../shell/answer.ts';
import { command, type Texts } from '../shell/operator-command.ts';
import { tableOf } from '../shell/resource.ts';
import { UsageError } from '../shell/command-error.ts';

const USER_COLUMNS = ['user_id', 'username', 'email', 'roles', 'application_passwords.uuid'];

/** `content user` and `content password` */
export function addContentUserCommands(content: Command): void {
  addUserCommands(content.command('user').description('People who write on the developer website'));
  addPasswordCommands(content.command('password').description('Application passwords of website users'));
}

function addUserCommands(group: Command): void {
  command(group, 'add', 'Add a website user, and show an application password once')
    .example('content user add --username mara --email mara@example.com --role editor')
    .requiredOption('--username <name>', 'login of the user')
    .requiredOption('--email <address>', 'e-mail address of the user')
    .requiredOption('--role <role>', 'administrator, editor, author, contributor or subscriber')
    .answers(async ({ username, email, role }: Texts<'username' | 'email' | 'role'>, { service }) => {
      const { addWebsiteUser } = await import('../../content/users/manage-website-user.ts');
      return answerOf('Website user added', await addWebsiteUser(service, username, email, role));
    }, true);

  command(group, 'list', 'List the website users and their application passwords')
    .example('content user list --json')
    .answers(async (_options, { service }) => {
      const { listWebsiteUsers } = await import('../../content/users/manage-website-user.ts');
      const users = await listWebsiteUsers(service);
      const quiet = users.map(({ username }) => username);
      return { title: 'No results', json: { users }, table: tableOf(users, USER_COLUMNS), quiet };
    });

  command(group, 'show', 'Show a website user')
    .example('content user show mara --json')
    .argument('<username>', 'login of the user')
    .answers(async (_options, { service }, username) => {
      const { findWebsiteUser } = await import('../../content/users/manage-website-user.ts');
      return { title: 'Website user', json: { ...(await findWebsiteUser(service, username)) }, quiet: [username] };
    });

  const update = command(group, 'update', 'Change a website user; omitted fields stay unchanged')
    .example('content user update mara --role editor')
    .argument('<username>', 'login of the user')
    .option('--email <address>', 'e-mail address of the user')
    .option('--role <role>', 'administrator, editor, author, contributor or subscriber');
  update.hook('preAction', () => {
    const { email, role } = update.opts<UserChange>();
    if (email === undefined && role === undefined) throw new UsageError('Nothing to change; give --email, --role');
  });
  update.answers(async ({ email, role }: UserChange, { service }, username) => {
    const { updateWebsiteUser } = await import('../../content/users/manage-website-user.ts');
    const change = { ...(email !== undefined && { email }), ...(role !== undefined && { role }) };
    return { title: 'Website user updated', json: { ...(await updateWebsiteUser(service, username, change)) } };
  });

  command(group, 'remove', 'Remove a website user, and assign the content of the user to another author')
    .example('content user remove mara --reassign ada')
    .argument('<username>', 'login of the user')
    .requiredOption('--reassign <username>', 'login of the new author')
    .answers(async ({ reassign }: Texts<'reassign'>, { service }, username) => {
      const { removeWebsiteUser } = await import('../../content/users/manage-website-user.ts');
      await removeWebsiteUser(service, username, reassign);
      return { title: 'Website user removed', json: { username, deleted: true } };
    });
}

function addPasswordCommands(group: Command): void {
  command(group, 'add', 'Add an application password to a website user, and show it once')
    .example('content password add --username mara')
    .requiredOption('--username <name>', 'login of the user')
    .answers(async ({ username }: Texts<'username'>, { service }) => {
      const { addApplicationPassword } = await import('../../content/users/manage-website-user.ts');
      return answerOf('Application password added', await addApplicationPassword(service, username));
    });

  command(group, 'remove', 'Revoke an application password of a website user, or all of them, immediately')
    .example('content password remove --username mara --uuid UUID')
    .requiredOption('--username <name>', 'login of the user')
    .option('--uuid <uuid>', 'application password to revoke, as listed by content user list (default: all)')
    .answers(async ({ username, uuid }: Texts<'username', 'uuid'>, { service }) => {
      const { revokeApplicationPasswords } = await import('../../content/users/manage-website-user.ts');
      await revokeApplicationPasswords(service, username, uuid ?? null);
      return { title: 'Application passwords revoked', json: { username, uuid: uuid ?? 'all' } };
    });
}

function answerOf(title: string, added: AddedUser): Answer {
  const { username, application_password } = added;
  const note = 'Save application_password: it is shown only once.';
  return { title, json: { ...added }, quiet: [username, application_password], note };
}
