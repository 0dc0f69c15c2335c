import { Extensions, Field, Float, Int, ObjectType } from 'type-graphql';

import { connectionOf } from '../page.ts';
import { TimedTripPath } from './timed-trip-path.ts';
import { TripEnd } from './trip-end.ts';
import { TripGap } from './trip-gap.ts';
import { TripPath } from './trip-path.ts';
import { TripStop } from './trip-stop.ts';

/** A mark that the account has put on a trip. */
@ObjectType({ simpleResolvers: true, description: 'A mark that the account has put on a trip.' })
export class TripTag {
  @Field(() => String, { nullable: true, description: 'Colour in which to show it.' })
  readonly color!: string | null;

  @Field(() => String, { description: 'Key of the tag.' })
  readonly key!: string;

  @Field(() => String, { nullable: true, description: 'Text of the tag.' })
  readonly value!: string | null;
}

/** All points of a vehicle from engine start to engine stop. Decisions: "Records", Trip. */
@ObjectType({ simpleResolvers: true, description: 'All points of a vehicle from engine start to engine stop.' })
export class Trip {
  @Field(() => String, { description: 'Key of the trip.' })
  readonly key!: string;

  @Extensions({ access: ['account_activity.read'] })
  @Field(() => String, { nullable: true, description: 'Key of the account; null to a trip map.' })
  readonly account_key!: string | null;

  @Extensions({ access: ['account_activity.read'] })
  @Field(() => String, { nullable: true, description: 'Key of the device that recorded it; null to a trip map.' })
  readonly device_key!: string | null;

  @Extensions({ access: ['account_activity.read'] })
  @Field(() => String, { nullable: true, description: 'Key of the user who drove; null to a trip map.' })
  readonly user_key!: string | null;

  @Field(() => String, { description: 'Key of the vehicle.' })
  readonly vehicle_key!: string;

  @Field(() => TripEnd, { description: 'Where and when it started.' })
  readonly start_point!: TripEnd;

  @Field(() => TripEnd, { description: 'Where and when it ended.' })
  readonly end_point!: TripEnd;

  @Field(() => Float, { description: 'Seconds from start to end.' })
  readonly duration_seconds!: number;

  @Field(() => Float, { description: 'Distance in miles, the sum over consecutive positions.' })
  readonly gps_distance!: number;

  @Field(() => Float, { description: 'Distance in metres, the sum over consecutive positions.' })
  readonly distance_meters!: number;

  @Field(() => Int, { description: 'Number of recorded positions.' })
  readonly point_count!: number;

  @Field(() => [Float], {
    description: 'West, south, east, north in degrees; west is greater than east across the antimeridian.',
  })
  readonly bounding_box!: number[];

  @Field(() => Float, {
    nullable: true,
    description: 'Greatest speed in miles per hour, as recorded or else between positions; impossible jumps left out.',
  })
  readonly max_speed!: number | null;

  @Field(() => Float, { nullable: true, description: 'Distance by duration in miles per hour.' })
  readonly mean_speed!: number | null;

  @Field(() => [TripStop], { description: 'Stays on the way, in order.' })
  readonly stops!: TripStop[];

  @Field(() => [TripGap], { description: 'Times without positions, in order.' })
  readonly gaps!: TripGap[];

  @Field(() => [TripTag], { description: 'Marks of the account; none to a trip map.' })
  readonly tags!: TripTag[];

  @Field(() => String, { description: "All positions as Google's encoded polyline of 5 decimals, latitude first." })
  readonly encoded_polyline!: string;

  @Field(() => TripPath, { description: 'The geometry for drawing.' })
  readonly path!: TripPath;

  @Extensions({ access: ['trippoints.read', 'embed'] })
  @Field(() => TimedTripPath, {
    nullable: true,
    description: 'The geometry with its times and speeds; null to apps that may not read trip points.',
  })
  readonly timed_path!: TimedTripPath | null;
}

/** A page of trips. */
export const TripConnection = connectionOf(Trip, 'Trip');
