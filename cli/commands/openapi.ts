import type { Command } from 'commander';

import { readConfig } from '../../server/configuration/config.ts';
import { OperatorCommand } from '../shell/operator-command.ts';

/** `openapi` */
export function addOpenapiCommand(program: Command): void {
  const summary = 'Print the OpenAPI document of the account API, with the addresses and routes of the settings';
  const added = new OperatorCommand('openapi').copyInheritedSettings(program).summary(summary).description(summary);
  program.addCommand(added);
  added.example('openapi > openapi.json').action(async () => {
    const { accountDescription } = await import('../../server/endpoints/account-endpoint.ts');
    const { accountPaths } = await import('../../server/endpoints/account-paths.ts');
    const config = readConfig(process.env);
    const paths = await accountPaths(config.trustedDocuments);
    process.stdout.write(`${JSON.stringify(await accountDescription(config, paths))}\n`);
  });
}
