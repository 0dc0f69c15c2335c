import type { Command } from 'commander';

import { command, type Texts } from '../shell/operator-command.ts';
import { addDescribed, addResource, argument, argumentsIn, inWordsOf, type Json, recordOf } from '../shell/resource.ts';
import { SUBSCRIPTION } from '../records/account.ts';

/** `subscription`: its own commands, and those with which the operator records sales made elsewhere */
export function addSubscriptionCommands(program: Command): void {
  const group = addResource(program, SUBSCRIPTION);
  command(group, 'add', 'Subscribe an account to a plan')
    .example('subscription add --account KEY --plan Fleet')
    .requiredOption('--account <key>', 'account that subscribes')
    .requiredOption('--plan <name>', 'name of the plan')
    .answers(async (request: Texts<'account' | 'plan'>, { config: { authUrl }, service }) => {
      const { addSubscription } = await import('../../resolvers/account/subscription-resolver.ts');
      const key = await addSubscription(service, request);
      return {
        title: 'Subscription added',
        json: await recordOf(service, SUBSCRIPTION, request.account, key, authUrl),
        quiet: [key],
      };
    });

  addUpdate(group);

  addDescribed(group, SUBSCRIPTION, {
    verb: 'remove',
    summary:
      'Remove a subscription, for example one added by mistake; its devices are then not covered by any subscription',
    example: 'KEY',
    isOfRecord: true,
  }).answers(async (_options, { service }, key) => {
    const { removeSubscription } = await import('../../resolvers/account/subscription-resolver.ts');
    await removeSubscription(service, key);
    return { title: 'Subscription removed', json: { key, deleted: true } };
  });
}

function addUpdate(group: Command): void {
  const options = [
    argument('--plan <name>', 'plan', 'name of the plan'),
    argument('--billing-period <period>', 'billing_period', 'billing period').choices(['month', 'year']),
    argument('--status <status>', 'status', 'active, or canceled (Do Not Renew)').choices(['active', 'canceled']),
    argument('--ends-at <date-time>', 'ends_at', 'when it ends, if it is canceled'),
  ].map((option) => option.neverEmpty());
  const described = {
    verb: 'update',
    isOfRecord: true,
    options,
    example: 'KEY --status canceled --ends-at 2027-01-01',
  };
  const summary = 'Change a subscription; omitted fields stay unchanged';
  addDescribed(group, SUBSCRIPTION, { ...described, summary }).answers(
    async (given: Json, { config: { authUrl }, service }, key) => {
      const { updateSubscription } = await import('../../resolvers/account/subscription-resolver.ts');
      const account_key = await inWordsOf(options, updateSubscription(service, key, argumentsIn(options, given)));
      return { title: 'Subscription updated', json: await recordOf(service, SUBSCRIPTION, account_key, key, authUrl) };
    },
  );
}
