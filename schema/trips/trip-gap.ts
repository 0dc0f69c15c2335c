import { Field, Float } from 'type-graphql';

import { DateTime } from '../date-time-scalars.ts';
import { RecordType } from '../field-decorators.ts';

/** A period without positions: longer than 45 seconds, and longer than three times the usual interval. */
@RecordType(
  'A period without positions: longer than 45 seconds, and longer than three times the usual interval of the trip.',
)
export class TripGap {
  @Field(() => DateTime, { description: 'Last position before the gap.' })
  readonly started!: Date;

  @Field(() => DateTime, { description: 'First position after the gap.' })
  readonly ended!: Date;

  @Field(() => Float, { description: 'Seconds without a position.' })
  readonly duration_seconds!: number;

  @Field(() => Float, { description: 'Straight distance across the gap in meters.' })
  readonly distance_meters!: number;
}
