import { Field, Float } from 'type-graphql';

import { GeoPoint } from './geo-point.ts';
import { connectionOf } from '../page.ts';
import { DateTime } from '../date-time-scalars.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** One recorded position of a trip. Decisions: "Records", Trip point. */
@RecordType('One recorded position of a trip.')
export class TripPoint {
  @Field(() => GeoPoint, { description: 'Position of the vehicle.' })
  readonly point!: GeoPoint;

  @Field(() => DateTime, { description: 'Time of the position.' })
  readonly timestamp!: Date;

  @NullableField(() => Float, 'Direction of travel in degrees, clockwise from north.')
  readonly heading!: number | null;

  @NullableField(() => Float, 'Speed in miles per hour, to one decimal.')
  readonly speed!: number | null;

  @Field(() => [String], { description: 'Event at the position, such as `engine_start`.' })
  readonly events!: string[];

  @NullableField(() => Float, 'Odometer in miles, if reported.')
  readonly odometer!: number | null;

  @NullableField(() => Float, 'Fuel level in percent, if reported.')
  readonly fuel_level!: number | null;

  @NullableField(() => Float, 'Battery level of the device in percent, if reported.')
  readonly battery_level!: number | null;

  @NullableField(() => Boolean, 'True if the ignition is on; null if not reported.')
  readonly ignition!: boolean | null;
}

/** A page of the positions of a trip. */
export const TripPointConnection = connectionOf(TripPoint, 'TripPoint');
