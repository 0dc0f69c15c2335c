import { Subscription } from '../../schema/account/subscription.ts';

import { modelOf } from '../model-of.ts';

/** Fields of a subscription that never leave. */
interface SubscriptionHidden {
  readonly account_key: string;
}

/** Subscriptions; `quantity` is counted from the devices. */
export const SubscriptionModel = modelOf<Subscription, SubscriptionHidden, 'quantity'>(Subscription, {
  collection: 'subscriptions',
  tenancy: 'account',
  computed: ['quantity'],
  hidden: { account_key: { type: String, required: true } },
  indexes: [[{ account_key: 1, _id: 1 }]],
});
