import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { DeviceModel } from '../../models/vehicles/device.ts';
import { BillingSubscriptionModel } from '../../models/account/billing-subscription.ts';
import { accountAccessScope } from '../../models/tenancy.ts';
import { connectionOf, type Page } from '../../schema/page.ts';
import { PRESENT_STATUSES } from '../../schema/vehicles/device.ts';
import { BillingSubscription } from '../../schema/account/billing-subscription.ts';

import { creationPage } from '../pages/creation-page.ts';

const BillingSubscriptionConnection = connectionOf(BillingSubscription, 'BillingSubscription');

/** Subscriptions of the account. */
@Resolver()
export class SubscriptionResolver {
  @Access('billing.read')
  @Query(() => BillingSubscriptionConnection, { description: "The account's subscriptions, in order of creation." })
  async subscriptions(
    @Arg('first', () => Int, { nullable: true, defaultValue: 100, description: 'Size of the page, 1 to 1000.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The `end_cursor` of the page before.' })
    after: string | undefined,
    @Ctx() { caller }: RequestContext,
  ): Promise<Page<BillingSubscription>> {
    const accessScope = accessScopeOf(caller);
    const page = await creationPage(BillingSubscriptionModel, { accessScope, first: first ?? 100, after });
    const quantities = await countDevices(
      accessScope.account_key,
      page.nodes.map(({ key }) => key),
    );
    return { ...page, nodes: page.nodes.map((node) => ({ ...node, quantity: quantities.get(node.key) ?? 0 })) };
  }
}

/**
 * Counts the pending and installed devices of subscriptions: figures of the account, whatever the groups. An index of the
 * devices holds all that is matched and grouped, so no device is read.
 */
async function countDevices(accountKey: string, subscriptionKeys: readonly string[]): Promise<Map<string, number>> {
  const counts = await DeviceModel.aggregate<{ _id: string; quantity: number }>([
    { $match: { subscription_key: { $in: subscriptionKeys }, status: { $in: [...PRESENT_STATUSES] } } },
    { $group: { _id: '$subscription_key', quantity: { $sum: 1 } } },
  ]).option({ accessScope: accountAccessScope(accountKey) });
  return new Map(counts.map((count) => [count._id, count.quantity]));
}
