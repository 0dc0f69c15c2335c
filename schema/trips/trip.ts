import { Extensions, Field, Float, Int } from 'type-graphql';

import { Driver } from '../account/driver.ts';
import { Tag } from '../account/tag.ts';
import { GraphqlOnly, NullableField, RecordType } from '../field-decorators.ts';
import { connectionOf } from '../page.ts';
import { TimedTripPath } from './timed-trip-path.ts';
import { TripEnd } from './trip-end.ts';
import { TripGap } from './trip-gap.ts';
import { TripPath } from './trip-path.ts';
import { TripStop } from './trip-stop.ts';

/** Permissions for account data of a trip that is not a location, which trip maps do not get. */
const OF_THE_ACCOUNT = ['account_activity.read', 'driver'];

/** Name of a trip's vehicle. */
@RecordType('The vehicle of a trip, as shown to callers that can see the trip.')
export class TripVehicle {
  @Field(() => String, { description: 'Key of the vehicle.' })
  readonly key!: string;

  @NullableField(() => String, 'Display name.')
  readonly nickname!: string | null;
}

/** All points of a vehicle from engine start to engine stop. Decisions: "Records", Trip. */
@RecordType('All points of a vehicle from engine start to engine stop.')
export class Trip {
  @Field(() => String, { description: 'Key of the trip.' })
  readonly key!: string;

  @Extensions({ access: OF_THE_ACCOUNT })
  @NullableField(() => String, 'Key of the account; null for trip maps.')
  readonly account_key!: string | null;

  @Extensions({ access: OF_THE_ACCOUNT })
  @NullableField(() => String, 'Key of the device that recorded it; null for trip maps.')
  readonly device_key!: string | null;

  @Extensions({ access: OF_THE_ACCOUNT })
  @NullableField(() => String, 'Key of the user who drove; null for trip maps.')
  readonly user_key!: string | null;

  @Field(() => String, { description: 'Key of the vehicle.' })
  readonly vehicle_key!: string;

  @Field(() => TripEnd, { description: 'Where and when it started.' })
  readonly start_point!: TripEnd;

  @Field(() => TripEnd, { description: 'Where and when it ended.' })
  readonly end_point!: TripEnd;

  @GraphqlOnly()
  @NullableField(() => String, 'IANA time zone of the start; null if the position is not known.')
  readonly time_zone!: string | null;

  @Field(() => Float, { description: 'Seconds from start to end.' })
  readonly duration_seconds!: number;

  @Field(() => Float, { description: 'Distance in miles, to one decimal: the sum over consecutive positions.' })
  readonly gps_distance!: number;

  @GraphqlOnly()
  @Field(() => Float, { description: 'Distance in meters, the sum over consecutive positions.' })
  readonly distance_meters!: number;

  @GraphqlOnly()
  @Field(() => Int, { description: 'Number of recorded positions; 0 if they are older than the account keeps them.' })
  readonly point_count!: number;

  @GraphqlOnly()
  @Field(() => [Float], {
    description: 'West, south, east, north in degrees; west is greater than east across the antimeridian.',
  })
  readonly bounding_box!: number[];

  @NullableField(
    () => Float,
    'Highest speed in miles per hour, to one decimal, as recorded or else between positions; impossible ' +
      'jumps are ignored.',
  )
  readonly max_speed!: number | null;

  @GraphqlOnly()
  @NullableField(() => Float, 'Average speed (distance divided by duration) in miles per hour, to one decimal.')
  readonly mean_speed!: number | null;

  @Extensions({ access: OF_THE_ACCOUNT })
  @NullableField(
    () => Float,
    'Seconds for which the engine ran while the vehicle was stationary; null if the engine state is not ' +
      'known, and for trip maps.',
  )
  readonly idle_time!: number | null;

  @Extensions({ access: OF_THE_ACCOUNT })
  @NullableField(
    () => Int,
    'Number of positions with hard braking; null if the device reported no hard braking or acceleration, and ' +
      'to a trip map.',
  )
  readonly hard_brakes!: number | null;

  @Extensions({ access: OF_THE_ACCOUNT })
  @NullableField(
    () => Int,
    'Number of positions with rapid acceleration; null if the device reported no hard braking or ' +
      'acceleration, and for trip maps.',
  )
  readonly rapid_accels!: number | null;

  @GraphqlOnly()
  @Field(() => [TripStop], { description: 'Stops on the way, in order.' })
  readonly stops!: TripStop[];

  @GraphqlOnly()
  @Field(() => [TripGap], { description: 'Periods without positions, in order.' })
  readonly gaps!: TripGap[];

  @GraphqlOnly()
  @Extensions({ access: OF_THE_ACCOUNT })
  @NullableField(() => Driver, 'The driver, if known; null for trip maps.')
  readonly user!: Driver | null;

  @GraphqlOnly()
  @Extensions({ access: OF_THE_ACCOUNT })
  @NullableField(() => TripVehicle, 'The vehicle; null for trip maps.')
  readonly vehicle!: TripVehicle | null;

  @GraphqlOnly()
  @Field(() => [Tag], {
    description: 'Tags on the trip, in the order in which they were added; empty for trip maps.',
  })
  readonly tags!: Tag[];

  @NullableField(
    () => String,
    "All positions as Google's encoded polyline with 5 decimals, latitude first; null if the positions have " +
      'expired.',
  )
  readonly encoded_polyline!: string | null;

  @GraphqlOnly()
  @NullableField(() => TripPath, 'The geometry for drawing; null if the positions have expired.')
  readonly path!: TripPath | null;

  @Extensions({ access: ['trippoints.read', 'embed', 'driver'] })
  @GraphqlOnly()
  @NullableField(() => TimedTripPath, 'The geometry with times and speeds; null for apps that cannot read trip points.')
  readonly timed_path!: TimedTripPath | null;
}

/** A page of trips. */
export const TripConnection = connectionOf(Trip, 'Trip');
