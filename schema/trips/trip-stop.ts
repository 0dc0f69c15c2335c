import { Field, Float } from 'type-graphql';

import { GeoPoint } from './geo-point.ts';
import { DateTime } from '../date-time-scalars.ts';
import { RecordType } from '../field-decorators.ts';

/** A stay on the way: within 25 meters for 20 seconds or longer. */
@RecordType('A stop on the way: within 25 meters for 20 seconds or longer.')
export class TripStop {
  @Field(() => DateTime, { description: 'First position of the stop.' })
  readonly arrival!: Date;

  @Field(() => DateTime, { description: 'Last position of the stop.' })
  readonly departure!: Date;

  @Field(() => Float, { description: 'Seconds from arrival to departure.' })
  readonly duration_seconds!: number;

  @Field(() => GeoPoint, { description: 'Position in the middle of the stop.' })
  readonly point!: GeoPoint;
}
