import type { Command } from 'commander';

import type { AddedUser } from '../../content/users/add-website-user.ts';

import type { Answer } from '../command-line/answer.ts';
import { command, type Texts } from '../command-line/operator-command.ts';
import { tableOf } from '../command-line/resource.ts';

const USER_COLUMNS = ['user_id', 'username', 'email', 'roles', 'application_passwords.uuid'];

/** `content user add`, `content user list`, `content password add` and `content password remove` */
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
    .answers(async ({ username, email, role }: Texts<'username' | 'email' | 'role'>) => {
      const { addWebsiteUser } = await import('../../content/users/add-website-user.ts');
      return answerOf('Website user added', await addWebsiteUser(username, email, role));
    }, true);

  command(group, 'list', 'List the website users and their application passwords')
    .example('content user list --json')
    .answers(async () => {
      const { listWebsiteUsers } = await import('../../content/users/add-website-user.ts');
      const users = await listWebsiteUsers();
      const quiet = users.map(({ username }) => username);
      return { title: 'There are none', json: { users }, table: tableOf(users, USER_COLUMNS), quiet };
    });
}

function addPasswordCommands(group: Command): void {
  command(group, 'add', 'Add an application password to a website user, and show it once')
    .example('content password add --username mara')
    .requiredOption('--username <name>', 'login of the user')
    .answers(async ({ username }: Texts<'username'>) => {
      const { addApplicationPassword } = await import('../../content/users/add-website-user.ts');
      return answerOf('Application password added', await addApplicationPassword(username));
    });

  command(group, 'remove', 'Revoke an application password of a website user, or all of them, immediately')
    .example('content password remove --username mara --uuid UUID')
    .requiredOption('--username <name>', 'login of the user')
    .option('--uuid <uuid>', 'application password to revoke, as listed by content user list (default: all)')
    .answers(async ({ username, uuid }: Texts<'username', 'uuid'>) => {
      const { revokeApplicationPasswords } = await import('../../content/users/add-website-user.ts');
      await revokeApplicationPasswords(username, uuid ?? null);
      return { title: 'Application passwords revoked', json: { username, uuid: uuid ?? 'all' } };
    });
}

function answerOf(title: string, added: AddedUser): Answer {
  const { username, application_password } = added;
  const note = 'Save application_password: it is shown only once.';
  return { title, json: { ...added }, quiet: [username, application_password], note };
}
