import { Field, Int } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { DateTime } from '../date-time-scalars.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** Statuses of a subscription, and of the part of a device in it. Specification: "States and transitions". */
export const SubscriptionStatus = closedList('SubscriptionStatus', 'Renewal status of a subscription.', {
  active: 'The subscription renews.',
  canceled: 'Do Not Renew: the subscription ends.',
});

/** One of {@link SubscriptionStatus}. */
export type SubscriptionStatus = keyof typeof SubscriptionStatus;

/** Periods for which a plan is paid. */
export const BillingPeriod = closedList('BillingPeriod', 'Billing period of a plan.', {
  month: 'Monthly.',
  year: 'Yearly.',
});

/** One of {@link BillingPeriod}. */
export type BillingPeriod = keyof typeof BillingPeriod;

/** Plan of a subscription. */
@RecordType('Plan of a subscription.')
export class Plan {
  @Field(() => String, { description: 'Unique key of the plan.' })
  readonly key!: string;

  @Field(() => String, { description: 'Name of the plan.' })
  readonly name!: string;

  @Field(() => BillingPeriod, { description: 'Billing period of the plan.' })
  readonly billing_period!: BillingPeriod;
}

/**
 * All devices of an account on one plan. Specification: "Subscription", a name that GraphQL reserves for a root type; shape:
 * decisions, "Records".
 */
@RecordType('The devices of an account on one plan.')
export class BillingSubscription {
  @Field(() => String, { description: 'Unique subscription key.' })
  readonly key!: string;

  @Field(() => Plan, { description: 'The plan.' })
  readonly plan!: Plan;

  @Field(() => Int, { description: 'Number of pending and installed devices on the plan.' })
  readonly quantity!: number;

  @Field(() => SubscriptionStatus, { description: 'Renewal status of the subscription.' })
  readonly status!: SubscriptionStatus;

  @Field(() => DateTime, { description: 'When the subscription began, ISO 8601 with offset.' })
  readonly started_at!: Date;

  @NullableField(() => DateTime, 'When the subscription ends, ISO 8601 with offset; null while it renews.')
  readonly ends_at!: Date | null;
}
