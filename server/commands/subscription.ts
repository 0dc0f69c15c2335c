import type { Command } from 'commander';

import { command, type Texts } from '../command-line/operator-command.ts';

/** `subscription add` */
export function addSubscriptionCommands(program: Command): void {
  const group = program.command('subscription').description('Plans that an account has bought');

  command(group, 'add', 'Subscribe an account to a plan')
    .example('subscription add --account KEY --plan Fleet')
    .requiredOption('--account <key>', 'account that subscribes')
    .requiredOption('--plan <name>', 'name of the plan')
    .answers(async (request: Texts<'account' | 'plan'>) => {
      const { addSubscription } = await import('../../resolvers/subscriptions/add-subscription.ts');
      return { title: 'Subscription added', json: { subscription_key: await addSubscription(request) } };
    });
}
