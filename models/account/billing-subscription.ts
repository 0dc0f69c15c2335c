import { BillingSubscription } from '../../schema/account/billing-subscription.ts';

import { storeOf } from '../store/store-of.ts';
import { required } from '../store/stored-fields.ts';

/** Subscriptions; `quantity` is counted from the devices. */
export const BillingSubscriptionStore = storeOf(BillingSubscription, {
  collection: 'subscriptions',
  tenancy: 'account',
  computed: ['quantity'],
  hidden: { account_key: required(String) },
  indexes: [[{ account_key: 1, _id: 1 }]],
});
