import type { Command } from 'commander';

import type { CommonOptions } from '../command-line/answer.ts';
import { answering, operatorCommand } from '../command-line/operator-command.ts';

interface RegisterOptions extends CommonOptions {
  readonly account: string;
  readonly name: string;
  readonly redirectUri: readonly string[];
  readonly scope?: readonly string[];
  readonly public?: true;
  /** False by `--no-pkce`. */
  readonly pkce: boolean;
}

interface AppOptions extends CommonOptions {
  readonly app: string;
}

interface ApproveOptions extends AppOptions {
  readonly scope?: readonly string[];
}

interface PkceOptions extends AppOptions {
  readonly optional?: true;
}

const KEEP = 'Keep the secret: it is shown this once.';

/** `app register`, `app approve`, `app pkce`, `app rotate-secret` and `app delete` */
export function addAppCommands(program: Command): void {
  const group = program.command('app').description('Third-party applications');

  operatorCommand(group, 'register', {
    summary: 'Register an application',
    example: 'app register --account KEY --name "Route planner" --redirect-uri https://planner.example/callback',
  })
    .requiredOption('--account <key>', 'account that registers it')
    .requiredOption('--name <name>', 'name shown to those who are asked to grant access')
    .requiredOption('--redirect-uri <url...>', 'where a browser may be sent after sign-in; may be repeated')
    .option('--scope <scope...>', 'what it may be granted in place of the read-only default; may be repeated')
    .option('--public', 'it runs where no secret can be kept: it gets none, and must use PKCE')
    .option('--no-pkce', 'an application with a secret need not use PKCE')
    .action(
      answering(async ({ account, name, redirectUri, scope, public: isPublic, pkce }: RegisterOptions) => {
        const { registerApp } = await import('../../resolvers/apps/register-app.ts');
        const { client_id, client_secret } = await registerApp({
          account,
          name,
          redirectUris: redirectUri,
          isPublic: isPublic === true,
          requiresPkce: pkce,
          isReviewed: true,
          ...(scope && { scopes: scope }),
        });
        return client_secret === null
          ? { title: 'Public app registered', json: { client_id } }
          : { title: 'App registered', json: { client_id, client_secret }, note: KEEP };
      }),
    );

  operatorCommand(group, 'approve', {
    summary: 'Record that an application has been reviewed, and let it ask for further scopes',
    example: 'app approve --app CLIENT_ID --scope trippoints.read',
  })
    .requiredOption('--app <client-id>', 'app that has been reviewed')
    .option('--scope <scope...>', 'what it may ask for beside what it may already; may be repeated')
    .action(
      answering(async ({ app, scope = [] }: ApproveOptions) => {
        const { approveApp } = await import('../../resolvers/apps/approve-app.ts');
        return { title: 'App approved', json: { client_id: app, scopes: await approveApp(app, scope) } };
      }),
    );

  operatorCommand(group, 'pkce', {
    summary: 'Require PKCE of an application with a secret, or make it optional',
    example: 'app pkce --app CLIENT_ID --optional',
  })
    .requiredOption('--app <client-id>', 'app that has a secret')
    .option('--optional', 'it need not use PKCE')
    .action(
      answering(async ({ app, optional }: PkceOptions) => {
        const { requirePkceOfAnyApp } = await import('../../resolvers/apps/manage-any-app.ts');
        const requires_pkce = await requirePkceOfAnyApp(app, optional !== true);
        return { title: 'App changed', json: { client_id: app, requires_pkce } };
      }),
    );

  operatorCommand(group, 'rotate-secret', {
    summary: 'Give an application a new secret; the old one ends at once',
    example: 'app rotate-secret --app CLIENT_ID',
  })
    .requiredOption('--app <client-id>', 'app that gets it')
    .action(
      answering(async ({ app }: AppOptions) => {
        const { rotateAnySecret } = await import('../../resolvers/apps/manage-any-app.ts');
        const client_secret = await rotateAnySecret(app);
        return { title: 'Secret replaced', json: { client_id: app, client_secret }, note: KEEP };
      }),
    );

  operatorCommand(group, 'delete', {
    summary: 'Delete an application with all that was granted to it',
    example: 'app delete --app CLIENT_ID',
  })
    .requiredOption('--app <client-id>', 'app to delete')
    .action(
      answering(async ({ app }: AppOptions) => {
        const { deleteAnyApp } = await import('../../resolvers/apps/manage-any-app.ts');
        await deleteAnyApp(app);
        return { title: 'App deleted', json: { client_id: app, deleted: true } };
      }),
    );
}
