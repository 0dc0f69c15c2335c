import { newKey } from '../../models/key.ts';
import { BillingSubscriptionModel } from '../../models/account/billing-subscription.ts';

import { checkName } from '../input/check-name.ts';
import { existingAccountScope } from '../input/any-record.ts';

/** Subscribes an account to a plan, billed monthly. Answers the key of the subscription. */
export async function addSubscription(request: { readonly account: string; readonly plan: string }): Promise<string> {
  const { account_key } = await existingAccountScope(request.account);
  return insertSubscription(account_key, checkName('plan', request.plan));
}

/** Stores an active subscription of an account that is known to be there, or about to be. */
export async function insertSubscription(accountKey: string, planName: string): Promise<string> {
  const key = newKey();
  const plan = { key: planKey(planName), name: planName, billing_period: 'month' } as const;
  const since = { status: 'active', started_at: new Date(), ends_at: null } as const;
  await BillingSubscriptionModel.create([{ key, account_key: accountKey, plan, ...since }]);
  return key;
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
