import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { BillingSubscriptionStore } from '../../models/account/billing-subscription.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { connectionOf, type Page } from '../../schema/page.ts';
import { PRESENT_STATUSES } from '../../schema/vehicles/device.ts';
import { BillingSubscription } from '../../schema/account/billing-subscription.ts';
import { notFound } from '../../schema/service-error.ts';

import { creationPage } from '../pages/creation-page.ts';
import type { Service } from '../../models/store/service.ts';

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
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Page<BillingSubscription>> {
    const accessScope = accessScopeOf({ service, caller });
    const isContinuedByKey = true;
    const query = { accessScope, first: first ?? 100, after, isContinuedByKey } as const;
    const page = await creationPage(BillingSubscriptionStore, query);
    return { ...page, nodes: await withQuantities(accessScope.service, accessScope.account_key, page.nodes) };
  }

  @Access('billing.read')
  @Query(() => BillingSubscription, { nullable: true, description: 'One subscription.' })
  async subscription(
    @Arg('key', () => String, { description: 'Key of the subscription.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<BillingSubscription> {
    const accessScope = accessScopeOf({ service, caller });
    const found = await BillingSubscriptionStore.readOneShown({ accessScope, filter: { key } });
    const [subscription] = await withQuantities(accessScope.service, accessScope.account_key, found ? [found] : []);
    if (!subscription) throw notFound('subscription');
    return subscription;
  }
}

type WithoutQuantity = Omit<BillingSubscription, 'quantity'>;

/** Adds the number of its devices to each subscription of an account. */
async function withQuantities(
  service: Service,
  accountKey: string,
  stored: readonly WithoutQuantity[],
): Promise<BillingSubscription[]> {
  const keys = stored.map(({ key }) => key);
  const quantities = keys.length === 0 ? new Map<string, number>() : await countDevices(service, accountKey, keys);
  return stored.map((one) => ({ ...one, quantity: quantities.get(one.key) ?? 0 }));
}

/**
 * Counts the pending and installed devices of subscriptions: figures of the account, whatever the groups. An index of the
 * devices holds all that is matched and grouped, so no device is read.
 */
async function countDevices(
  service: Service,
  accountKey: string,
  subscriptionKeys: readonly string[],
): Promise<Map<string, number>> {
  const counts = await DeviceStore.aggregate<{ _id: string; quantity: number }>(
    accountAccessScope(service, accountKey),
    [
      { $match: { subscription_key: { $in: subscriptionKeys }, status: { $in: [...PRESENT_STATUSES] } } },
      { $group: { _id: '$subscription_key', quantity: { $sum: 1 } } },
    ],
  );
  return new Map(counts.map((count) => [count._id, count.quantity]));
}
