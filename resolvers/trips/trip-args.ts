import { ArgsType, Field, Float, Int } from 'type-graphql';

import { DateTime } from '../../schema/date-time-scalars.ts';
import { ServiceError } from '../../schema/service-error.ts';
import type { PathDetail } from '../../tracking/geometry/trip-path.ts';
import { NullableField } from '../../schema/field-decorators.ts';

/** The arguments of a list of trips, from the last to the first: `guard` turns them round. */
@ArgsType()
export class TripListArgs {
  @NullableField(() => String, '`end_cursor` of the previous page.')
  readonly after?: string | null;

  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'Size of the page, 1 to 1000.' })
  readonly first!: number | null;

  @Field(() => Boolean, { nullable: true, defaultValue: false, description: 'True to list the latest trips first.' })
  readonly newest_first!: boolean | null;

  @NullableField(() => DateTime, 'Only trips that started before this date-time (ISO 8601, GMT unless stated).')
  readonly started_before?: string | null;

  @NullableField(() => DateTime, 'Only trips that started at this date-time or later (ISO 8601, GMT unless stated).')
  readonly started_after?: string | null;

  @NullableField(() => String, 'Only this trip. All other arguments except `vehicle_key` are ignored.')
  readonly trip_key?: string | null;

  @NullableField(() => [String], 'Only trips with one of these tags.')
  readonly tag_keys?: string[] | null;

  @NullableField(() => String, 'Only trips that this user drove.')
  readonly user_key?: string | null;

  @NullableField(() => String, 'Only trips of this vehicle. A trip map always gets those of its own vehicle.')
  readonly vehicle_key?: string | null;
}

/** The arguments that say how much of a path is wanted. */
@ArgsType()
export class PathArgs {
  @Field(() => Float, {
    nullable: true,
    defaultValue: 0,
    description: 'Maximum distance in meters between the line and the recorded one; 0 keeps every position.',
  })
  readonly tolerance_meters!: number | null;

  @NullableField(() => Int, 'Maximum number of positions, 2 or more; those that matter most to the shape are kept.')
  readonly max_points?: number | null;
}

/**
 * Reads the arguments of a path.
 *
 * @throws ServiceError BAD_REQUEST naming the wrong one
 */
export function pathDetailOf({ tolerance_meters, max_points }: PathArgs): PathDetail {
  const toleranceMeters = tolerance_meters ?? 0;
  if (!(toleranceMeters >= 0 && Number.isFinite(toleranceMeters))) {
    throw new ServiceError('BAD_REQUEST', 'tolerance_meters must be finite and not negative');
  }
  if (typeof max_points === 'number' && max_points < 2) {
    throw new ServiceError('BAD_REQUEST', 'max_points must be 2 or more');
  }
  return { toleranceMeters, maxPoints: max_points ?? Infinity };
}
