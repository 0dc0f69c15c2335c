import { Field, Float, InputType, ObjectType } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { GeoPoint } from '../trips/geo-point.ts';
import { DateTime } from '../date-time-scalars.ts';
import { NotNull } from '../not-null.ts';

/** Treatments of trips that enter a zone. */
export const ZoneTrips = closedList('ZoneTrips', 'What becomes of trips that enter a privacy zone.', {
  cut: 'Positions inside are left out.',
  hide: 'Trips with a position inside are left out, and every trip for 15 minutes.',
});

/** One of {@link ZoneTrips}. */
export type ZoneTrips = keyof typeof ZoneTrips;

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

  @Field(() => ZoneTrips, { defaultValue: ZoneTrips.cut, description: 'What becomes of trips that enter it.' })
  readonly trips!: ZoneTrips;

  @Field(() => DateTime, { description: 'When the zone was made, ISO 8601 with offset.' })
  readonly created!: Date;
}

/** The fields of a new zone. */
@InputType({ description: 'The fields of a new privacy zone.' })
export class PrivacyZoneInput {
  @Field(() => Float, { description: 'Latitude of the centre in degrees.' })
  readonly lat!: number;

  @Field(() => Float, { description: 'Longitude of the centre in degrees.' })
  readonly lon!: number;

  @Field(() => Float, { description: 'Radius in metres, 1 to 100000.' })
  readonly radius_meters!: number;

  @Field(() => String, { nullable: true, description: 'What people call it, 1 to 255 characters.' })
  readonly name?: string | null;

  @Field(() => ZoneTrips, { nullable: true, description: 'What becomes of trips that enter it; `cut` unless given.' })
  readonly trips?: ZoneTrips | null;
}

/** The fields of a zone to change. */
@InputType({ description: 'The fields of a privacy zone to change; what is left out stays as it is.' })
export class PrivacyZoneChange {
  @NotNull()
  @Field(() => Float, { nullable: true, description: 'Latitude of the centre in degrees.' })
  readonly lat?: number;

  @NotNull()
  @Field(() => Float, { nullable: true, description: 'Longitude of the centre in degrees.' })
  readonly lon?: number;

  @NotNull()
  @Field(() => Float, { nullable: true, description: 'Radius in metres, 1 to 100000.' })
  readonly radius_meters?: number;

  @Field(() => String, { nullable: true, description: 'What people call it, 1 to 255 characters; null for nothing.' })
  readonly name?: string | null;

  @NotNull()
  @Field(() => ZoneTrips, { nullable: true, description: 'What becomes of trips that enter it.' })
  readonly trips?: ZoneTrips;
}
