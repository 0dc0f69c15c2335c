import type { Command } from 'commander';

import { command, type Texts } from '../shell/operator-command.ts';
import { addResource, inWordsOf, recordOf } from '../shell/resource.ts';
import { APP, appOptions } from '../records/account.ts';

interface AddOptions extends Texts<'account' | 'name'> {
  readonly redirectUri: readonly string[];
  readonly scope?: readonly string[];
  readonly public?: true;
  /** False by `--no-pkce`. */
  readonly pkce: boolean;
}

/** `app`: its own commands, and those by which an operator reviews an application */
export function addAppCommands(program: Command): void {
  const group = addResource(program, APP);

  const facts = appOptions();
  const added = command(group, 'add', 'Register an application, as reviewed by the operator')
    .example('app add --account KEY --name "Route planner" --redirect-uri https://planner.example/callback')
    .requiredOption('--account <key>', 'account that registers the application');
  for (const fact of facts) added.addOption(fact.makeOptionMandatory());
  added
    .option('--scope <scope...>', 'scope that it may request, instead of the read-only defaults; may be repeated')
    .option('--public', 'public client (RFC 6749), which has no secret and must use PKCE')
    .option('--no-pkce', 'do not require PKCE for an application with a secret')
    .answers(async (given: AddOptions, { config: { authUrl }, service }) => {
      const { redirectUri: redirectUris, scope, public: isPublic, pkce, account, name } = given;
      const { registerApp } = await import('../../resolvers/apps/register-app.ts');
      const request = { account, name, redirectUris, isPublic: isPublic === true, requiresPkce: pkce, scopes: scope };
      const app = registerApp(service, { ...request, isReviewed: true });
      const { client_id, secret: client_secret } = await inWordsOf(facts, app);
      return {
        title: 'App added',
        json: { ...(await recordOf(service, APP, account, client_id, authUrl)), client_secret },
        quiet: [client_id, ...(client_secret === null ? [] : [client_secret])],
        ...(client_secret !== null && { note: 'Save client_secret: it is shown only once.' }),
      };
    });

  command(group, 'approve', 'Record that an application has been reviewed, and allow it to request further scopes')
    .example('app approve CLIENT_ID --scope trippoints.read')
    .argument('<client-id>', 'application that has been reviewed')
    .option('--scope <scope...>', 'further scope that it may request; may be repeated')
    .answers(async ({ scope = [] }: { readonly scope?: readonly string[] }, { service }, client_id) => {
      const { approveApp } = await import('../../resolvers/apps/app-resolver.ts');
      return { title: 'App approved', json: { client_id, scopes: await approveApp(service, client_id, scope) } };
    });
}
