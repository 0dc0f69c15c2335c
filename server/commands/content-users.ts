import type { Command } from 'commander';

import { command, type Texts } from '../command-line/operator-command.ts';

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
      return { title: 'Website user added', json: { ...(await addWebsiteUser(username, email, role)) } };
    }, true);

  command(group, 'list', 'List the website users and their application passwords')
    .example('content user list --json')
    .answers(async () => {
      const { listWebsiteUsers } = await import('../../content/users/add-website-user.ts');
      const users = await listWebsiteUsers();
      const lines = users.flatMap(({ user_id, username, email, roles, application_passwords }) => [
        `  ${user_id}  ${username}  ${email}  ${roles.join(', ')}`,
        ...application_passwords.map(({ uuid, created }) => `     application password ${uuid} of ${created}`),
      ]);
      return { title: `Website users: ${users.length}`, json: { users }, lines };
    });
}

function addPasswordCommands(group: Command): void {
  command(group, 'add', 'Add an application password to a website user, and show it once')
    .example('content password add --username mara')
    .requiredOption('--username <name>', 'login of the user')
    .answers(async ({ username }: Texts<'username'>) => {
      const { addApplicationPassword } = await import('../../content/users/add-website-user.ts');
      return { title: 'Application password added', json: { ...(await addApplicationPassword(username)) } };
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
