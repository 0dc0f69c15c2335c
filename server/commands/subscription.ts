import type { Command } from 'commander';

import { command, type Texts } from '../command-line/operator-command.ts';
import { addResource } from '../command-line/resource.ts';
import { SUBSCRIPTION } from './resources/account.ts';

/** `subscription`: its own commands, and `subscription add`, since plans are sold elsewhere */
export function addSubscriptionCommands(program: Command): void {
  command(addResource(program, SUBSCRIPTION), 'add', 'Subscribe an account to a plan')
    .example('subscription add --account KEY --plan Fleet')
    .requiredOption('--account <key>', 'account that subscribes')
    .requiredOption('--plan <name>', 'name of the plan')
    .answers(async (request: Texts<'account' | 'plan'>) => {
      const { addSubscription } = await import('../../resolvers/subscriptions/add-subscription.ts');
      const key = await addSubscription(request);
      return { title: 'Subscription added', json: { key }, quiet: [key] };
    });
}
