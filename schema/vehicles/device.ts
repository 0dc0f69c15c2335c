import { Field, InputType, Int } from 'type-graphql';

import { SubscriptionStatus } from '../account/billing-subscription.ts';
import { closedList } from '../closed-list.ts';
import { GraphqlOnly, NotNull, NullableField, RecordType } from '../field-decorators.ts';
import { DateTime } from '../date-time-scalars.ts';
import { TripSettings } from '../account/trip-settings.ts';

/** Statuses of an active device: lists show it, subscriptions count it, and its positions are accepted. */
export const PRESENT_STATUSES = ['pending', 'installed'] as const;

/** Statuses of a device in the order of its life cycle. */
export const DeviceStatus = closedList('DeviceStatus', 'The status of a device.', {
  pending: 'Not assigned to a vehicle yet.',
  installed: 'Assigned to a vehicle.',
  removed: 'Removed: lists omit it, and the positions it sends are rejected.',
});

/** One of {@link DeviceStatus}. */
export type DeviceStatus = keyof typeof DeviceStatus;

/** Time after which a silent device counts as disconnected, in milliseconds. */
export const DISCONNECTED_AFTER_MS = 15 * 60_000;

/** Hardware in a vehicle. Specification: "Device". */
@RecordType('Connected hardware in a vehicle.')
export class Device {
  @Field(() => String, { description: 'Unique device key.' })
  readonly key!: string;

  @Field(() => String, { description: 'Serial number of the hardware.' })
  readonly serial!: string;

  @Field(() => DeviceStatus, { description: 'Status of the device. Lists contain `pending` and `installed` devices.' })
  readonly status!: DeviceStatus;

  @NullableField(() => String, 'Key of the vehicle to which the device is assigned.')
  readonly vehicle_key!: string | null;

  @Field(() => Boolean, { description: 'True if the device has reported within the last 15 minutes.' })
  readonly is_connected!: boolean;

  @NullableField(() => DateTime, 'When the device stopped reporting, ISO 8601 with offset.')
  readonly disconnected_timestamp!: Date | null;

  @NullableField(() => DateTime, 'When the device last reported, ISO 8601 with offset.')
  readonly last_transmission!: Date | null;

  @GraphqlOnly()
  @Field(() => SubscriptionStatus, {
    description: 'Renewal status of the subscription of the device. Not part of REST answers.',
  })
  readonly subscription_status!: SubscriptionStatus;

  @GraphqlOnly()
  @NullableField(
    () => TripSettings,
    'What decides where the trips of this device begin and end; null for the settings of the account.',
  )
  readonly trip_settings!: TripSettings | null;
}

/** The fields of a device that its account may change. */
@InputType({ description: 'The writable fields of a device. Omitted fields stay unchanged. At least one is required.' })
export class DeviceInput {
  @NotNull()
  @NullableField(() => SubscriptionStatus, '`canceled` marks the subscription Do Not Renew, `active` renewing.')
  readonly subscription_status?: SubscriptionStatus | null;

  @NullableField(() => String, 'Key of the vehicle to assign it to; null unassigns it.')
  readonly vehicle_key?: string | null;
}

/** The way in which a device reports, on which its trips depend. */
@RecordType('How a device reported in the 24 hours before its last position, as its trips depend on it.')
export class DeviceReporting {
  @NullableField(() => Int, 'Usual time between its last positions in seconds; null if unknown.')
  readonly usual_interval_seconds!: number | null;

  @Field(() => Int, { description: 'A time without positions of this many seconds ends a trip now.' })
  readonly gap_seconds!: number;

  @NullableField(
    () => Boolean,
    'False if the ignition was off while the vehicle drove, true if it was only on; null if unknown.',
  )
  readonly is_ignition_connected!: boolean | null;
}
