import { newKey } from '../../models/key.ts';
import { BillingSubscriptionStore } from '../../models/account/billing-subscription.ts';
import { accountAccessScope, unrestricted } from '../../models/store/tenancy.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import type { BillingPeriod, SubscriptionStatus } from '../../schema/account/billing-subscription.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { accountOfRecord } from '../input/account-of-record.ts';
import { existingAccountScope } from '../input/any-record.ts';
import { checkName } from '../../schema/check-name.ts';
import { readDateTime } from '../input/read-window.ts';
import { unknownKey } from '../input/unknown-key.ts';
import type { Service } from '../../models/store/service.ts';

/** Subscribes an account to a plan, billed monthly. Answers the key of the subscription. */
export async function addSubscription(
  service: Service,
  request: { readonly account: string; readonly plan: string },
): Promise<string> {
  const { account_key } = await existingAccountScope(service, request.account);
  return insertSubscription(service, account_key, checkName('plan', request.plan));
}

/** Fields of a subscription that the operator changes; one that is left out stays as it is. */
export interface SubscriptionChange {
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
    throw new ServiceError('BAD_REQUEST', 'ends_at is of no use: the subscription is active, and renews');
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
  await DeviceStore.updateMany(accessScope, { subscription_key: key }, { subscription_key: null });
  await BillingSubscriptionStore.deleteOne(accessScope, { key });
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
