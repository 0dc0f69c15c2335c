import type { Command } from 'commander';

import type { CommonOptions } from './answer.ts';
import { answering, operatorCommand } from './operator-command.ts';

interface RegisterOptions extends CommonOptions {
  readonly account: string;
  readonly name: string;
  readonly redirectUri: readonly string[];
  readonly scope?: readonly string[];
}

/** `app register` */
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
    .action(
      answering(async ({ account, name, redirectUri, scope }: RegisterOptions) => {
        const { registerApp } = await import('../../resolvers/provisioning/register-app.ts');
        const app = await registerApp({ account, name, redirectUris: redirectUri, ...(scope && { scopes: scope }) });
        const { client_id, client_secret } = app;
        return {
          title: 'App registered',
          json: { client_id, client_secret },
          note: 'Keep the secret: it is shown this once.',
        };
      }),
    );
}
