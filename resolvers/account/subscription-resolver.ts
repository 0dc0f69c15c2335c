import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { Access } from '../../auth/access.ts';
import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { BillingSubscriptionStore } from '../../models/account/billing-subscription.ts';
import { accountAccessScope, unrestricted } from '../../models/store/tenancy.ts';
import { After, First, connectionOf, type Page } from '../../schema/page.ts';
import { PRESENT_STATUSES } from '../../schema/vehicles/device.ts';
import {
  type BillingPeriod,
  BillingSubscription,
  type SubscriptionStatus,
} from '../../schema/account/billing-subscription.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { creationPage } from '../../models/lists/creation-page.ts';
import { deleteRecord } from '../../tracking/retention/delete-record.ts';
import type { Service } from '../../models/store/service.ts';
import { newKey } from '../../models/key.ts';
import { accountOfRecord } from '../../models/lookup/account-of-record.ts';
import { existingAccountScope } from '../../models/lookup/any-record.ts';
import { checkName } from '../../schema/check-name.ts';
import { readDateTime } from '../../schema/read-window.ts';
import { unknownKey } from '../../models/lookup/unknown-key.ts';

const BillingSubscriptionConnection = connectionOf(BillingSubscription, 'BillingSubscription');

/** Subscriptions of the account. */
@Resolver()
export class SubscriptionResolver {
  @Access('billing.read')
  @Query(() => BillingSubscriptionConnection, { description: "The account's subscriptions, in order of creation." })
  async subscriptions(
    @First(100) first: number | null,
    @After() after: string | undefined,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Page<BillingSubscription>> {
    const accessScope = accessScopeOf({ service, caller });
    const isContinuedByKey = true;
    const query = { accessScope, first: first ?? 100, after, kind: 'subscription', isContinuedByKey } as const;
    const page = await creationPage(BillingSubscriptionStore, query);
    return { ...page, nodes: await withQuantities(service, accessScope.account_key, page.nodes) };
  }

  @Access('billing.read')
  @Query(() => BillingSubscription, { nullable: true, description: 'One subscription.' })
  async subscription(
    @Arg('key', () => String, { description: 'Key of the subscription.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<BillingSubscription> {
    const accessScope = accessScopeOf({ service, caller });
    const found = await BillingSubscriptionStore.readOneShown({ accessScope, filter: { key } });
    const [subscription] = await withQuantities(service, accessScope.account_key, found ? [found] : []);
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
 * Counts the pending and installed devices of subscriptions: figures of the account, whatever the groups. A counting
 * index of the devices has these numbers.
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

/** Subscribes an account to a plan, billed monthly. Answers the key of the subscription. */
export async function addSubscription(
  service: Service,
  request: { readonly account: string; readonly plan: string },
): Promise<string> {
  const { account_key } = await existingAccountScope(service, request.account);
  return insertSubscription(service, account_key, checkName('plan', request.plan));
}

/** Fields of a subscription that the operator changes; omitted fields stay unchanged. */
interface SubscriptionChange {
  readonly plan?: string;
  readonly billing_period?: BillingPeriod;
  readonly status?: SubscriptionStatus;
  /** Date-time at which a canceled subscription ends. */
  readonly ends_at?: string;
}

/**
 * Changes a subscription of any account; returns the key of the account. A canceled one ends at a time, an active one does not.
 *
 * @throws ServiceError BAD_REQUEST naming a parameter, or for an unknown subscription
 */
export async function updateSubscription(service: Service, key: string, change: SubscriptionChange): Promise<string> {
  const accessScope = accountAccessScope(service, await accountOfRecord(service, 'subscription', key));
  const found = await BillingSubscriptionStore.findOne(accessScope, { key });
  if (!found) throw unknownKey('subscription', 'a subscription', key);
  const status = change.status ?? found.status;
  const ends_at = change.ends_at === undefined ? found.ends_at : readDateTime('ends_at', change.ends_at);
  if (status === 'active' && change.ends_at !== undefined)
    throw new ServiceError('BAD_REQUEST', 'ends_at has no effect: the subscription is active, and renews');
  if (status === 'canceled' && ends_at === null)
    throw new ServiceError('BAD_REQUEST', 'ends_at is required of a canceled subscription');
  const { plan: planBefore } = found;
  const named = change.plan === undefined ? {} : planOf(checkName('plan', change.plan));
  const plan = { ...planBefore, ...named, billing_period: change.billing_period ?? planBefore.billing_period };
  await BillingSubscriptionStore.updateOne(
    accessScope,
    { key },
    { plan, status, ends_at: status === 'active' ? null : ends_at },
  );
  return accessScope.account_key;
}

/**
 * Removes a subscription of any account; its devices are covered by none from then on. Where that is interrupted, removing it
 * again completes it.
 *
 * @throws ServiceError BAD_REQUEST for an unknown subscription
 */
export async function removeSubscription(service: Service, key: string): Promise<void> {
  const accessScope = accountAccessScope(service, await accountOfRecord(service, 'subscription', key));
  const before = async () => {
    await DeviceStore.updateMany(accessScope, { subscription_key: key }, { subscription_key: null });
    return [];
  };
  await deleteRecord({ kind: 'subscription', model: BillingSubscriptionStore, before }, accessScope, key);
}

/** Stores an active subscription of an account that is known to be there, or about to be. */
export async function insertSubscription(service: Service, accountKey: string, planName: string): Promise<string> {
  const key = newKey();
  const plan = { ...planOf(planName), billing_period: 'month' } as const;
  const since = { status: 'active', started_at: new Date(), ends_at: null } as const;
  await BillingSubscriptionStore.create(unrestricted(service), { key, account_key: accountKey, plan, ...since });
  return key;
}

function planOf(name: string) {
  return { key: planKey(name), name };
}

/** The same plan has the same key in every account: its name in lower case with hyphens. */
function planKey(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return slug || Buffer.from(name).toString('base64url');
}
