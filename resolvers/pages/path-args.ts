import { ArgsType, Field, Float, Int } from 'type-graphql';

import { ServiceError } from '../../schema/service-error.ts';

import type { PathDetail } from '../../tracking/geometry/trip-path.ts';

/** The arguments that say how much of a path is wanted. */
@ArgsType()
export class PathArgs {
  @Field(() => Float, {
    nullable: true,
    defaultValue: 0,
    description: 'Maximum distance in meters between the line and the recorded one; 0 keeps every position.',
  })
  readonly tolerance_meters!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum number of positions, 2 or more; those that matter most to the shape are kept.',
  })
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
