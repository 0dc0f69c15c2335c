import { Field, Float, InputType } from 'type-graphql';

import { closedList } from '../closed-list.ts';
import { GeoPoint, GeoPointInput } from '../trips/geo-point.ts';
import { DateTime } from '../date-time-scalars.ts';
import { NotNull, NullableField, RecordType } from '../field-decorators.ts';

/** Treatments of trips that enter a zone. */
export const ZoneTrips = closedList('ZoneTrips', 'What happens to trips that enter a privacy zone.', {
  cut: 'Positions inside the zone are hidden.',
  hide: 'Trips with a position inside the zone are hidden, and every trip until 15 minutes after its last position.',
});

/** One of {@link ZoneTrips}. */
export type ZoneTrips = keyof typeof ZoneTrips;

/** A circle on the ground in which only the account's owner can see its vehicles. */
@RecordType(
  "A circle in which apps and trip maps cannot see the account's vehicles. The account owner sees " + 'everything.',
)
export class PrivacyZone {
  @Field(() => String, { description: 'Key of the zone.' })
  readonly key!: string;

  @NullableField(() => String, 'Display name.')
  readonly name!: string | null;

  @Field(() => GeoPoint, { description: 'Center of the zone.' })
  readonly point!: GeoPoint;

  @Field(() => Float, { name: 'radius', simple: false, description: 'Radius in meters, 1 to 100000.' })
  readonly radius_meters!: number;

  @Field(() => ZoneTrips, { defaultValue: ZoneTrips.cut, description: 'What happens to trips that enter the zone.' })
  readonly trips!: ZoneTrips;

  @Field(() => DateTime, { description: 'When the zone was created, ISO 8601 with offset.' })
  readonly created!: Date;
}

/** The fields of a new zone. */
@InputType({ description: 'The fields of a new privacy zone.' })
export class PrivacyZoneInput {
  @Field(() => GeoPointInput, { description: 'Center of the zone.' })
  readonly point!: GeoPointInput;

  @Field(() => Float, { description: 'Radius in meters, 1 to 100000.' })
  readonly radius!: number;

  @NullableField(() => String, 'Display name, 1 to 255 characters.')
  readonly name?: string | null;

  @NullableField(() => ZoneTrips, 'What happens to trips that enter the zone; `cut` by default.')
  readonly trips?: ZoneTrips | null;
}

/** The fields of a zone to change. */
@InputType({ description: 'The writable fields of a privacy zone. Omitted fields stay unchanged.' })
export class PrivacyZoneChange {
  @NotNull()
  @NullableField(() => GeoPointInput, 'Center of the zone.')
  readonly point?: GeoPointInput;

  @NotNull()
  @NullableField(() => Float, 'Radius in meters, 1 to 100000.')
  readonly radius?: number;

  @NullableField(() => String, 'Display name, 1 to 255 characters; null clears it.')
  readonly name?: string | null;

  @NotNull()
  @NullableField(() => ZoneTrips, 'What happens to trips that enter the zone.')
  readonly trips?: ZoneTrips;
}
