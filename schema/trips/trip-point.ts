import { Field, Float, ObjectType } from 'type-graphql';

import { GeoPoint } from './geo-point.ts';
import { connectionOf } from '../page.ts';
import { DateTime } from '../date-time-scalars.ts';

/** One recorded position of a trip. Decisions: "Records", Trip point. */
@ObjectType({ simpleResolvers: true, description: 'One recorded position of a trip.' })
export class TripPoint {
  @Field(() => GeoPoint, { description: 'Position of the vehicle.' })
  readonly point!: GeoPoint;

  @Field(() => DateTime, { description: 'Time of the position.' })
  readonly timestamp!: Date;

  @Field(() => Float, { nullable: true, description: 'Direction of travel in degrees, clockwise from north.' })
  readonly heading!: number | null;

  @Field(() => Float, { nullable: true, description: 'Speed in miles per hour, to one decimal.' })
  readonly speed!: number | null;

  @Field(() => [String], { description: 'Event at the position, such as `engine_start`.' })
  readonly events!: string[];

  @Field(() => Float, { nullable: true, description: 'Odometer in miles, if reported.' })
  readonly odometer!: number | null;

  @Field(() => Float, { nullable: true, description: 'Fuel level in percent, if reported.' })
  readonly fuel_level!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Battery level of the device in percent, if reported.',
  })
  readonly battery_level!: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True if the ignition is on; null if not reported.',
  })
  readonly ignition!: boolean | null;
}

/** A page of the positions of a trip. */
export const TripPointConnection = connectionOf(TripPoint, 'TripPoint');
