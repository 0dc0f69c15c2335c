import type { Command } from 'commander';

import { UNRESTRICTED } from '../../models/tenancy.ts';
import type { AppManager } from '../../resolvers/apps/manage-app.ts';

import { command, type Texts } from '../command-line/operator-command.ts';

interface RegisterOptions extends Texts<'account' | 'name'> {
  readonly redirectUri: readonly string[];
  readonly scope?: readonly string[];
  readonly public?: true;
  /** False by `--no-pkce`. */
  readonly pkce: boolean;
}

const KEEP = 'Keep the secret: it is shown only once.';

/** `app register`, `app approve`, `app pkce`, `app rotate-secret` and `app delete` */
export function addAppCommands(program: Command): void {
  const group = program.command('app').description('Third-party applications');
  addRegistration(group);

  command(group, 'pkce', 'Require PKCE for an application with a secret, or make it optional')
    .example('app pkce --app CLIENT_ID --optional')
    .requiredOption('--app <client-id>', 'application that has a secret')
    .option('--optional', 'make PKCE optional')
    .answers(async ({ app, optional }: Texts<'app'> & { readonly optional?: true }) => {
      const requires_pkce = optional !== true;
      await changeAnyApp(app, ({ requirePkce }, operator) => requirePkce(app, requires_pkce, operator));
      return { title: 'App changed', json: { client_id: app, requires_pkce } };
    });

  command(group, 'rotate-secret', 'Issue a new secret for an application; the old one becomes invalid immediately')
    .example('app rotate-secret --app CLIENT_ID')
    .requiredOption('--app <client-id>', 'application that gets a new secret')
    .answers(async ({ app }: Texts<'app'>) => {
      const client_secret = await changeAnyApp(app, ({ rotateAppSecret }, operator) => rotateAppSecret(app, operator));
      return { title: 'Secret replaced', json: { client_id: app, client_secret }, note: KEEP };
    });

  command(group, 'delete', 'Delete an application and revoke everything that was granted to it')
    .example('app delete --app CLIENT_ID')
    .requiredOption('--app <client-id>', 'application to delete')
    .answers(async ({ app }: Texts<'app'>) => {
      await changeAnyApp(app, ({ deleteApp }, operator) => deleteApp(app, operator));
      return { title: 'App deleted', json: { client_id: app, deleted: true } };
    });
}

function addRegistration(group: Command): void {
  command(group, 'register', 'Register an application')
    .example('app register --account KEY --name "Route planner" --redirect-uri https://planner.example/callback')
    .requiredOption('--account <key>', 'account that registers the application')
    .requiredOption('--name <name>', 'name shown to users who are asked to grant access')
    .requiredOption('--redirect-uri <url...>', 'address to which browsers may be redirected; may be repeated')
    .option('--scope <scope...>', 'scope that it may request, instead of the read-only defaults; may be repeated')
    .option('--public', 'public client (RFC 6749), which has no secret and must use PKCE')
    .option('--no-pkce', 'do not require PKCE for an application with a secret')
    .answers(async ({ redirectUri: redirectUris, scope, public: isPublic, pkce, ...named }: RegisterOptions) => {
      const { registerApp } = await import('../../resolvers/apps/register-app.ts');
      const request = { ...named, redirectUris, isPublic: isPublic === true, requiresPkce: pkce, scopes: scope };
      const { client_id, client_secret } = await registerApp({ ...request, isReviewed: true });
      return client_secret === null
        ? { title: 'Public app registered', json: { client_id } }
        : { title: 'App registered', json: { client_id, client_secret }, note: KEEP };
    });

  command(group, 'approve', 'Record that an application has been reviewed, and allow it to request further scopes')
    .example('app approve --app CLIENT_ID --scope trippoints.read')
    .requiredOption('--app <client-id>', 'application that has been reviewed')
    .option('--scope <scope...>', 'further scope that it may request; may be repeated')
    .answers(async ({ app, scope = [] }: Texts<'app'> & { readonly scope?: readonly string[] }) => {
      const { approveApp } = await import('../../resolvers/apps/manage-app.ts');
      return { title: 'App approved', json: { client_id: app, scopes: await approveApp(app, scope) } };
    });
}

type Apps = typeof import('../../resolvers/apps/manage-app.ts');

/**
 * Changes an app of any account.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter `app` if there is none
 */
async function changeAnyApp<Result>(
  app: string,
  change: (apps: Apps, operator: AppManager) => Promise<Result>,
): Promise<Result> {
  const changed = await change(await import('../../resolvers/apps/manage-app.ts'), { accessScope: UNRESTRICTED });
  if (changed) return changed;
  const { unknownKey } = await import('../../resolvers/input/unknown-key.ts');
  throw unknownKey('app', 'an app (its client_id)', app);
}
