import { Field } from 'type-graphql';

import { Group } from '../account/group.ts';
import { Tag } from '../account/tag.ts';
import { User } from '../account/user.ts';
import { closedList } from '../closed-list.ts';
import { DateTime } from '../date-time-scalars.ts';
import { Event } from '../events/event.ts';
import { GraphqlOnly, NullableField, RecordType } from '../field-decorators.ts';
import { connectionOf } from '../page.ts';
import { Place } from '../places/place.ts';
import { Visit } from '../places/visit.ts';
import { Trip } from '../trips/trip.ts';
import { Device } from '../vehicles/device.ts';
import { PrivacyZone } from '../vehicles/privacy-zone.ts';
import { Vehicle } from '../vehicles/vehicle.ts';

/** Kinds of records whose changes are logged. */
export const ChangeKind = closedList('ChangeKind', 'Kind of records whose changes are logged.', {
  device: 'A device; its connection and its last transmission are not logged.',
  event: 'An event that a device reported or a user caused. Other events follow from trips and visits.',
  group: 'A group. Changes of its members are logged with the members.',
  place: 'A place.',
  privacy_zone: 'A privacy zone.',
  tag: 'A tag.',
  trip: 'A trip. A trip in progress is updated at most once a second.',
  user: 'A user.',
  vehicle:
    'A vehicle; its location and odometer are not logged. Its trips, visits and events are created and ' +
    'deleted with it.',
  visit: 'A visit of a vehicle to a place.',
});

/** One of {@link ChangeKind}. */
export type ChangeKind = keyof typeof ChangeKind;

/** All of {@link ChangeKind}. */
export const CHANGE_KINDS = Object.keys(ChangeKind) as readonly ChangeKind[];

/** Ways in which a record changes. */
export const ChangeName = closedList('ChangeName', 'What happened to a record.', {
  created: 'The record was created or restored.',
  deleted: 'The record was deleted, or is no longer visible.',
  updated: 'The record was changed or became visible.',
});

/** One of {@link ChangeName}. */
export type ChangeName = keyof typeof ChangeName;

/** Maximum time for which a reader may wait for the next change, in seconds. */
export const MAX_WAIT_SECONDS = 30;

/** An entry of the log of an account, with the record to which it refers, in the field that is named after its kind. */
@RecordType('A change of a record.')
export class Change {
  @Field(() => ChangeKind, { description: 'Kind of the record.' })
  readonly kind!: ChangeKind;

  @Field(() => String, { description: 'Key of the record.' })
  readonly key!: string;

  @Field(() => ChangeName, { description: 'What happened.' })
  readonly happened!: ChangeName;

  @Field(() => DateTime, { description: 'When it happened.' })
  readonly timestamp!: Date;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'True if a trip, visit or event was over longer than `WEBHOOK_MAX_AGE` before, as in old buffers and imports.',
  })
  readonly late!: boolean;

  @GraphqlOnly()
  @NullableField(() => Device, 'The device as it is now; null if it was deleted.')
  readonly device?: Device | null;

  @GraphqlOnly()
  @NullableField(() => Event, 'The event; null if it was deleted.')
  readonly event?: Event | null;

  @GraphqlOnly()
  @NullableField(() => Group, 'The group as it is now; null if it was deleted.')
  readonly group?: Group | null;

  @GraphqlOnly()
  @NullableField(() => Place, 'The place as it is now; null if it was deleted.')
  readonly place?: Place | null;

  @GraphqlOnly()
  @NullableField(() => PrivacyZone, 'The privacy zone; null if it was deleted.')
  readonly privacy_zone?: PrivacyZone | null;

  @GraphqlOnly()
  @NullableField(() => Tag, 'The tag as it is now; null if it was deleted.')
  readonly tag?: Tag | null;

  @GraphqlOnly()
  @NullableField(() => Trip, 'The trip as it is now; null if it was deleted.')
  readonly trip?: Trip | null;

  @GraphqlOnly()
  @NullableField(() => User, 'The user as it is now; null if it was deleted.')
  readonly user?: User | null;

  @GraphqlOnly()
  @NullableField(() => Vehicle, 'The vehicle as it is now; null if it was deleted.')
  readonly vehicle?: Vehicle | null;

  @GraphqlOnly()
  @NullableField(() => Visit, 'The visit as it is now; null if it was deleted.')
  readonly visit?: Visit | null;
}

/** A page of the log. Its `end_cursor` is never null, since the log has no end. */
export const ChangeConnection = connectionOf(Change, 'Change');
