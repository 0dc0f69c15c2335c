import { Field, Float, InputType, Int, ObjectType } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { connectionOf } from '../page.ts';
import { SpacedDateTime } from '../date-time-scalars.ts';
import { GeoPoint, GeoPointInput } from '../trips/geo-point.ts';

/** Kinds of places. */
export const PlaceCategory = closedList('PlaceCategory', 'The kind of a place.', {
  home: 'Where a driver or a vehicle is at home.',
  work: 'Where people work.',
  school: 'A school.',
  business: 'A customer, a supplier, a shop.',
  other: 'Anything else.',
});

/** One of {@link PlaceCategory}. */
export type PlaceCategory = keyof typeof PlaceCategory;

const DESCRIPTIONS = {
  name: 'Name of the place, 1 to 255 characters.',
  category: 'The kind of the place.',
  point: 'Center of a circle; null where the place is a polygon.',
  radius: 'Radius of the circle in meters, 1 to 100000; null where the place is a polygon.',
  polygon: 'Corners of a polygon in order, 3 to 1,000; none where the place is a circle.',
  active_weekdays: 'Days on which arrivals and departures make events, 0 (Monday) to 6 (Sunday).',
  from_time: 'Time of day, `hh:mm` in `time_zone`, from which arrivals and departures make events; null for all day.',
  to_time: 'Time of day until which they do; before `from_time`, it is on the next day.',
  time_zone: 'Zone of weekdays and times of day, by its IANA name, such as `Europe/Berlin`.',
  notifying_arrival: 'Whether arrivals make events.',
  notifying_departure: 'Whether departures make events.',
} as const;

/** An area that an account has named: a circle or a polygon. Positions in it make visits. */
@ObjectType({ simpleResolvers: true, description: 'An area that the account has named, a circle or a polygon.' })
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
    'Fields of a place. A new one needs `name`, and `point` with `radius`, or `polygon`. Of a change, a field left out stays ' +
    'as it is; `polygon` replaces a circle, and `point` with `radius` a polygon.',
})
export class PlaceInput {
  @Field(() => String, { nullable: true, description: DESCRIPTIONS.name })
  readonly name?: string | null;

  @Field(() => PlaceCategory, { nullable: true, description: 'The kind of the place; `other` unless given.' })
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

  @Field(() => [Int], { nullable: true, description: `${DESCRIPTIONS.active_weekdays} All unless given.` })
  readonly active_weekdays?: number[] | null;

  @Field(() => String, { nullable: true, description: DESCRIPTIONS.from_time })
  readonly from_time?: string | null;

  @Field(() => String, { nullable: true, description: DESCRIPTIONS.to_time })
  readonly to_time?: string | null;

  @Field(() => String, { nullable: true, description: `${DESCRIPTIONS.time_zone} \`UTC\` unless given.` })
  readonly time_zone?: string | null;

  @Field(() => Boolean, { nullable: true, description: `${DESCRIPTIONS.notifying_arrival} True unless given.` })
  readonly notifying_arrival?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: `${DESCRIPTIONS.notifying_departure} True unless given.` })
  readonly notifying_departure?: boolean | null;
}
