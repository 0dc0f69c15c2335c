import type { Command } from 'commander';

import type { CommonOptions } from '../command-line/answer.ts';
import { answering, operatorCommand } from '../command-line/operator-command.ts';

interface AddOptions extends CommonOptions {
  readonly account: string;
  readonly plan: string;
}

/** `subscription add` */
export function addSubscriptionCommands(program: Command): void {
  const group = program.command('subscription').description('What an account has bought');

  operatorCommand(group, 'add', {
    summary: 'Subscribe an account to a plan',
    example: 'subscription add --account KEY --plan Fleet',
  })
    .requiredOption('--account <key>', 'account that subscribes')
    .requiredOption('--plan <name>', 'name of the plan')
    .action(
      answering(async ({ account, plan }: AddOptions) => {
        const { addSubscription } = await import('../../resolvers/subscriptions/add-subscription.ts');
        return { title: 'Subscription added', json: { subscription_key: await addSubscription({ account, plan }) } };
      }),
    );
}
