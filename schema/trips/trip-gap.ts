import { Field, Float, ObjectType } from 'type-graphql';

import { OffsetTimestamp } from '../timestamp.ts';

/** A time without positions: longer than 45 seconds, and than three times the usual interval. */
@ObjectType({
  simpleResolvers: true,
  description: 'A time without positions: longer than 45 seconds, and than three times the usual interval of the trip.',
})
export class TripGap {
  @OffsetTimestamp({ description: 'Last position before the gap.' })
  readonly started!: Date;

  @OffsetTimestamp({ description: 'First position after the gap.' })
  readonly ended!: Date;

  @Field(() => Float, { description: 'Seconds without a position.' })
  readonly duration_seconds!: number;

  @Field(() => Float, { description: 'Straight distance across the gap in metres.' })
  readonly distance_meters!: number;
}
