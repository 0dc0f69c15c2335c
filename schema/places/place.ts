import { Field, Float, InputType, Int, ObjectType } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { connectionOf } from '../page.ts';
import { SpacedDateTime } from '../date-time-scalars.ts';
import { GeoPoint, GeoPointInput } from '../trips/geo-point.ts';

/** Kinds of places. */
export const PlaceCategory = closedList('PlaceCategory', 'The kind of a place.', {
  home: 'Home of a driver or a vehicle.',
  work: 'A workplace.',
  school: 'A school.',
  business: 'A business, such as a customer, supplier or shop.',
  other: 'Anything else.',
});

/** One of {@link PlaceCategory}. */
export type PlaceCategory = keyof typeof PlaceCategory;

const DESCRIPTIONS = {
  name: 'Name of the place, 1 to 255 characters.',
  category: 'The kind of the place.',
  point: 'Center of the circle; null if the place is a polygon.',
  radius: 'Radius of the circle in meters, 1 to 100000; null if the place is a polygon.',
  polygon: 'Corners of the polygon in order, 3 to 1,000; empty if the place is a circle.',
  active_weekdays: 'Days on which arrivals and departures create events, 0 (Monday) to 6 (Sunday).',
  from_time: 'Time of day, `hh:mm` in `time_zone`, from which arrivals and departures create events; null for all day.',
  to_time:
    'Time of day until which arrivals and departures create events; on the next day if it is before ' + '`from_time`.',
  time_zone: 'IANA time zone of weekdays and times of day, such as `Europe/Berlin`.',
  notifying_arrival: 'True if arrivals create events.',
  notifying_departure: 'True if departures create events.',
} as const;

/** An area that an account has named: a circle or a polygon. Positions in it make visits. */
@ObjectType({ simpleResolvers: true, description: 'A named area of the account, a circle or a polygon.' })
export class Place {
  @Field(() => String, { description: 'Unique place key.' })
  readonly key!: string;

  @Field(() => String, { description: DESCRIPTIONS.name })
  readonly name!: string;

  @Field(() => PlaceCategory, { description: DESCRIPTIONS.category })
  readonly category!: PlaceCategory;

  @Field(() => GeoPoint, { nullable: true, description: DESCRIPTIONS.point })
  readonly point!: GeoPoint | null;

  @Field(() => Float, { nullable: true, description: DESCRIPTIONS.radius })
  readonly radius!: number | null;

  @Field(() => [GeoPoint], { description: DESCRIPTIONS.polygon })
  readonly polygon!: GeoPoint[];

  @Field(() => [Int], { description: DESCRIPTIONS.active_weekdays })
  readonly active_weekdays!: number[];

  @Field(() => String, { nullable: true, description: DESCRIPTIONS.from_time })
  readonly from_time!: string | null;

  @Field(() => String, { nullable: true, description: DESCRIPTIONS.to_time })
  readonly to_time!: string | null;

  @Field(() => String, { defaultValue: 'UTC', description: DESCRIPTIONS.time_zone })
  readonly time_zone!: string;

  @Field(() => Boolean, { defaultValue: true, description: DESCRIPTIONS.notifying_arrival })
  readonly notifying_arrival!: boolean;

  @Field(() => Boolean, { defaultValue: true, description: DESCRIPTIONS.notifying_departure })
  readonly notifying_departure!: boolean;

  @Field(() => SpacedDateTime, { description: 'When the place was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @Field(() => SpacedDateTime, { description: 'When the place was last changed, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly updated!: Date;
}

/** A page of places. */
export const PlaceConnection = connectionOf(Place, 'Place');

/** Fields that make a place, or change one. */
@InputType({
  description:
    'The writable fields of a place. A new place requires `name`, and `point` with `radius`, or `polygon`. ' +
    'In an update, omitted fields stay unchanged; `polygon` replaces a circle, and `point` with `radius` ' +
    'replaces a polygon.',
})
export class PlaceInput {
  @Field(() => String, { nullable: true, description: DESCRIPTIONS.name })
  readonly name?: string | null;

  @Field(() => PlaceCategory, { nullable: true, description: 'The kind of the place; `other` by default.' })
  readonly category?: PlaceCategory | null;

  @Field(() => GeoPointInput, { nullable: true, description: 'Center of a circle.' })
  readonly point?: GeoPointInput | null;

  @Field(() => Float, { nullable: true, description: 'Radius of the circle in meters, 1 to 100000.' })
  readonly radius?: number | null;

  @Field(() => [GeoPointInput], {
    nullable: true,
    description: 'Corners of a polygon in order, 3 to 1,000; the first may be repeated as the last.',
  })
  readonly polygon?: GeoPointInput[] | null;

  @Field(() => [Int], { nullable: true, description: `${DESCRIPTIONS.active_weekdays} All by default.` })
  readonly active_weekdays?: number[] | null;

  @Field(() => String, { nullable: true, description: DESCRIPTIONS.from_time })
  readonly from_time?: string | null;

  @Field(() => String, { nullable: true, description: DESCRIPTIONS.to_time })
  readonly to_time?: string | null;

  @Field(() => String, { nullable: true, description: `${DESCRIPTIONS.time_zone} \`UTC\` by default.` })
  readonly time_zone?: string | null;

  @Field(() => Boolean, { nullable: true, description: `${DESCRIPTIONS.notifying_arrival} True by default.` })
  readonly notifying_arrival?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: `${DESCRIPTIONS.notifying_departure} True by default.` })
  readonly notifying_departure?: boolean | null;
}
