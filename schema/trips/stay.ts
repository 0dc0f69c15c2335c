import { Field, Float } from 'type-graphql';

import { DateTime } from '../date-time-scalars.ts';
import { connectionOf } from '../page.ts';
import { GeoPoint } from './geo-point.ts';
import { Address } from './trip-end.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** A time in which no trip of a vehicle was under way: between two trips, after the last one, or before the first. */
@RecordType('A stay of a vehicle: the time between two trips, after the last trip, or before the first one.')
export class Stay {
  @Field(() => String, {
    description: 'Key of the stay, derived from the trip before it; for the first stay, from the vehicle.',
  })
  readonly key!: string;

  @Field(() => String, { description: 'Key of the vehicle.' })
  readonly vehicle_key!: string;

  @Field(() => DateTime, {
    description: 'End of the trip before; for the first stay, the time of the first known position of the vehicle.',
  })
  readonly start_timestamp!: Date;

  @NullableField(() => DateTime, 'Start of the next trip; null until then.')
  readonly end_timestamp!: Date | null;

  @NullableField(() => Float, 'Seconds from start to end; null until it has ended.')
  readonly duration_seconds!: number | null;

  @NullableField(
    () => GeoPoint,
    'Where the vehicle stood: where the trip before ended; null if the position has expired.',
  )
  readonly point!: GeoPoint | null;

  @NullableField(() => Address, 'Address there; null if not known.')
  readonly address!: Address | null;

  @Field(() => Boolean, {
    description:
      'True if the next trip began elsewhere: farther away than the minimum distance of a trip. The vehicle moved ' +
      'without recorded positions, so it may have left before `end_timestamp`.',
  })
  readonly moved_unseen!: boolean;

  @NullableField(() => String, 'Key of the trip before; null for the first stay.')
  readonly trip_before_key!: string | null;

  @NullableField(() => String, 'Key of the next trip; null if there is none, or if the caller cannot see it.')
  readonly trip_after_key!: string | null;
}

/** A page of stays. */
export const StayConnection = connectionOf(Stay, 'Stay');
