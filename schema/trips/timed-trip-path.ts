import { Field, ObjectType } from 'type-graphql';

import { TripPath } from './trip-path.ts';

/** The geometry of a trip with its times and speeds: for replay, and for lines coloured by speed. */
@ObjectType({ simpleResolvers: true, description: 'The geometry of a trip with its times and speeds.' })
export class TimedTripPath extends TripPath {
  @Field(() => String, {
    description:
      'Whole seconds since 1970 (UTC) at each position of `points`: numbers as those of the polyline, each but the first as the difference to the one before.',
  })
  readonly times!: string;

  @Field(() => String, {
    description:
      'Mean speed from each position of `points` to the next in tenths of a mile per hour, -1 where it is not known; encoded as `times`.',
  })
  readonly speeds!: string;
}
