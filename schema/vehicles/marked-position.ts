import { Field, Float } from 'type-graphql';

import { DateTime } from '../date-time-scalars.ts';
import { connectionOf } from '../page.ts';
import { GeoPoint } from '../trips/geo-point.ts';
import { RejectionReason } from './ingest-rejection.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** A position of a device that is not believed, or not as it came. */
@RecordType('A position of a device that is stored with a mark, since it, or a part of it, is not believed.')
export class MarkedPosition {
  @Field(() => DateTime, { description: 'Time of the position, after a correction.' })
  readonly timestamp!: Date;

  @NullableField(() => GeoPoint, 'The place as it came; null if the device had no fix.')
  readonly point!: GeoPoint | null;

  @Field(() => [RejectionReason], { description: 'The marks.' })
  readonly marks!: RejectionReason[];

  @Field(() => [String], { description: 'The reasons for the marks.' })
  readonly reasons!: string[];

  @NullableField(() => Float, 'The accuracy in meters, if it is the reason.')
  readonly accuracy!: number | null;

  @NullableField(() => Float, 'The speed in miles per hour as it came.')
  readonly speed!: number | null;

  @NullableField(() => Float, 'The odometer in miles as it came.')
  readonly odometer!: number | null;

  @Field(() => [String], { description: 'Events at the position; these count.' })
  readonly events!: string[];
}

/** A page of marked positions. */
export const MarkedPositionConnection = connectionOf(MarkedPosition, 'MarkedPosition');
