import { Field, InputType, ObjectType } from 'type-graphql';

import { SubscriptionStatus } from '../account/billing-subscription.ts';
import { closedList } from '../closed-list.ts';
import { GraphqlOnly } from '../graphql-only.ts';
import { DateTime } from '../date-time-scalars.ts';
import { NotNull } from '../not-null.ts';

/** Statuses of a device that is there: lists show it, subscriptions count it, and its positions are taken. */
export const PRESENT_STATUSES = ['pending', 'installed'] as const;

/** Statuses of a device in the order of its life. */
export const DeviceStatus = closedList('DeviceStatus', 'The status of a device.', {
  pending: 'It is in no vehicle yet.',
  installed: 'It is in a vehicle.',
  removed: 'It is gone: lists leave it out, and what it sends is rejected.',
});

/** One of {@link DeviceStatus}. */
export type DeviceStatus = keyof typeof DeviceStatus;

/** A device that has been silent for this long counts as disconnected, in milliseconds. */
export const DISCONNECTED_AFTER_MS = 15 * 60_000;

/** Hardware in a vehicle. Specification: "Device". */
@ObjectType({ simpleResolvers: true, description: 'Connected hardware in a vehicle.' })
export class Device {
  @Field(() => String, { description: 'Unique device key.' })
  readonly key!: string;

  @Field(() => String, { description: 'Serial number of the hardware.' })
  readonly serial!: string;

  @Field(() => DeviceStatus, { description: 'Its status; lists show `pending` and `installed` devices.' })
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
  @Field(() => SubscriptionStatus, { description: 'Whether its subscription goes on. REST never shows it.' })
  readonly subscription_status!: SubscriptionStatus;
}

/** The fields of a device that its account changes. */
@InputType({ description: 'The writable fields of a device; a field left out stays as it is. At least one is given.' })
export class DeviceInput {
  @NotNull()
  @Field(() => SubscriptionStatus, {
    nullable: true,
    description: '`canceled` marks Do Not Renew, `active` un-cancels.',
  })
  readonly subscription_status?: SubscriptionStatus | null;

  @Field(() => String, {
    nullable: true,
    description: 'Key of the vehicle into which it is put; null takes it out of the one that it is in.',
  })
  readonly vehicle_key?: string | null;
}
