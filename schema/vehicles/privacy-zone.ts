import { Field, Float, ObjectType } from 'type-graphql';

import { GeoPoint } from '../trips/geo-point.ts';
import { DateTime } from '../date-time-scalars.ts';

/** Treatment of trips that enter a zone: the positions inside are left out, or the whole trip is. */
export const ZONE_TRIPS = ['cut', 'hide'] as const;

/** One of {@link ZONE_TRIPS}. */
export type ZoneTrips = (typeof ZONE_TRIPS)[number];

/** A circle on the ground in which nobody but the account's owner sees where its vehicles are. */
@ObjectType({
  simpleResolvers: true,
  description: "A circle in which apps and trip maps do not see the account's vehicles. Its owner sees everything.",
})
export class PrivacyZone {
  @Field(() => String, { description: 'Key of the zone.' })
  readonly key!: string;

  @Field(() => String, { nullable: true, description: 'What people call it.' })
  readonly name!: string | null;

  @Field(() => GeoPoint, { description: 'Centre of the zone.' })
  readonly point!: GeoPoint;

  @Field(() => Float, { description: 'Radius in metres, 1 to 100000.' })
  readonly radius_meters!: number;

  @Field(() => String, {
    defaultValue: 'cut',
    description:
      '`cut` leaves out positions inside; `hide` leaves out trips with a position inside, and every trip for 15 minutes.',
  })
  readonly trips!: ZoneTrips;

  @Field(() => DateTime, { description: 'When the zone was made, ISO 8601 with offset.' })
  readonly created!: Date;
}
