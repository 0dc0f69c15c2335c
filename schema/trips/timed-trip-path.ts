import { Field } from 'type-graphql';

import { TripPath } from './trip-path.ts';
import { RecordType } from '../field-decorators.ts';

/** The geometry of a trip with its times and speeds: for replay, and for lines colored by speed. */
@RecordType('The geometry of a trip with its times and speeds.')
export class TimedTripPath extends TripPath {
  @Field(() => String, {
    description:
      'Unix time in seconds at each position of `points`, encoded like the numbers of the polyline: each after ' +
      'the first as the difference to the previous one.',
  })
  readonly times!: string;

  @Field(() => String, {
    description:
      'Average speed from each position of `points` to the next in tenths of a mile per hour, -1 if not known; ' +
      'encoded like `times`.',
  })
  readonly speeds!: string;
}
