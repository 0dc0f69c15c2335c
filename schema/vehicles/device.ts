import { Field, ObjectType } from 'type-graphql';

import { GraphqlOnly } from '../graphql-only.ts';
import { DateTime } from '../date-time-scalars.ts';

/** Statuses of a device that is there: lists show it, subscriptions count it, and its positions are taken. */
export const PRESENT_STATUSES = ['pending', 'installed'] as const;

/** Statuses of a device in the order of its life. */
export const DEVICE_STATUSES = [...PRESENT_STATUSES, 'removed'] as const;

/** One of {@link DEVICE_STATUSES}. */
export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

/** A device that has been silent for this long counts as disconnected, in milliseconds. */
export const DISCONNECTED_AFTER_MS = 15 * 60_000;

/** Values of `subscription_status`: `canceled` marks Do Not Renew, `active` un-cancels. */
export const SUBSCRIPTION_STATUSES = ['active', 'canceled'] as const;

/** One of {@link SUBSCRIPTION_STATUSES}. */
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Hardware in a vehicle. Specification: "Device". */
@ObjectType({ simpleResolvers: true, description: 'Connected hardware in a vehicle.' })
export class Device {
  @Field(() => String, { description: 'Unique device key.' })
  readonly key!: string;

  @Field(() => String, { description: 'Serial number of the hardware.' })
  readonly serial!: string;

  @Field(() => String, { description: '`pending`, `installed` or `removed`; lists show the first two.' })
  readonly status!: DeviceStatus;

  @Field(() => String, { nullable: true, description: 'Key of the vehicle that the device is in.' })
  readonly vehicle_key!: string | null;

  @Field(() => Boolean, { description: 'Whether the device has been heard lately.' })
  readonly is_connected!: boolean;

  @Field(() => DateTime, { nullable: true, description: 'When the device fell silent, ISO 8601 with offset.' })
  readonly disconnected_timestamp!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When the device was last heard, ISO 8601 with offset.' })
  readonly last_transmission!: Date | null;

  @GraphqlOnly()
  @Field(() => String, { description: '`active`, or `canceled`: Do Not Renew. REST never shows it.' })
  readonly subscription_status!: SubscriptionStatus;
}
