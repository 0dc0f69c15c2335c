import { Extensions, Field, Float, ObjectType } from 'type-graphql';

import { GeoPoint } from './geo-point.ts';
import { DateTime } from '../date-time-scalars.ts';

/** The place at an end of a trip, with the fields that trips show. */
@ObjectType({ simpleResolvers: true, description: 'A named place of the account.' })
export class EndPlace {
  @Field(() => String, { description: 'Key of the place.' })
  readonly key!: string;

  @Field(() => String, { description: 'Name of the place.' })
  readonly name!: string;
}

/** A postal address. */
@ObjectType({ simpleResolvers: true, description: 'A postal address.' })
export class Address {
  @Field(() => String, { nullable: true, description: 'Street and number.' })
  readonly street!: string | null;

  @Field(() => String, { nullable: true, description: 'City.' })
  readonly city!: string | null;

  @Field(() => String, { nullable: true, description: 'State or region.' })
  readonly state!: string | null;

  @Field(() => String, { nullable: true, description: 'Postal code.' })
  readonly zipcode!: string | null;

  @Field(() => String, { nullable: true, description: 'Country.' })
  readonly country!: string | null;
}

/** Place and time of a trip's start or end. Decisions: "Records", Trip. */
@ObjectType({ simpleResolvers: true, description: 'Where and when a trip started or ended.' })
export class TripEnd {
  @Field(() => GeoPoint, {
    nullable: true,
    description: 'Position of the vehicle; null if it is older than the account keeps positions.',
  })
  readonly point!: GeoPoint | null;

  @Field(() => DateTime, { description: 'Time of the position.' })
  readonly timestamp!: Date;

  @Extensions({ access: ['account_activity.read', 'driver'] })
  @Field(() => Float, {
    nullable: true,
    description: 'Odometer in miles, from the first or last believed reading of the trip; null for trip maps.',
  })
  readonly odometer!: number | null;

  @Extensions({ access: ['account_activity.read', 'driver'] })
  @Field(() => Float, {
    nullable: true,
    description: 'Fuel level in percent, from the first or last believed reading of the trip; null for trip maps.',
  })
  readonly fuel_level!: number | null;

  @Extensions({ access: ['places.read', 'driver'] })
  @Field(() => EndPlace, {
    nullable: true,
    description:
      'The place that contains the position, the smallest if there are several; null for callers without ' +
      '`places.read`.',
  })
  readonly place!: EndPlace | null | (() => Promise<EndPlace | null>);

  @Field(() => Address, {
    nullable: true,
    description:
      'Address: city, state and country from GeoNames (geonames.org, CC BY 4.0), and the street if the service has a ' +
      'geocoder. Null more than 20 km from any city; if the window of a trip map cuts the trip there; and, if the account has ' +
      'privacy zones, for everyone except the owner.',
  })
  readonly address!: Address | null;
}
