import { Extensions, Field, Float } from 'type-graphql';

import { GeoPoint } from './geo-point.ts';
import { DateTime } from '../date-time-scalars.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** The place at an end of a trip, with the fields that trips show. */
@RecordType('A named place of the account.')
export class EndPlace {
  @Field(() => String, { description: 'Key of the place.' })
  readonly key!: string;

  @Field(() => String, { description: 'Name of the place.' })
  readonly name!: string;
}

/** A postal address. */
@RecordType('A postal address.')
export class Address {
  @NullableField(() => String, 'Street and number.')
  readonly street!: string | null;

  @NullableField(() => String, 'City.')
  readonly city!: string | null;

  @NullableField(() => String, 'State or region.')
  readonly state!: string | null;

  @NullableField(() => String, 'Postal code.')
  readonly zipcode!: string | null;

  @NullableField(() => String, 'Country.')
  readonly country!: string | null;
}

/** Place and time of a trip's start or end. Decisions: "Records", Trip. */
@RecordType('Where and when a trip started or ended.')
export class TripEnd {
  @NullableField(() => GeoPoint, 'Position of the vehicle; null if it is older than the account keeps positions.')
  readonly point!: GeoPoint | null;

  @Field(() => DateTime, { description: 'Time of the position.' })
  readonly timestamp!: Date;

  @Extensions({ access: ['account_activity.read', 'driver'] })
  @NullableField(
    () => Float,
    'Odometer in miles, from the first or last believed reading of the trip; null for trip maps.',
  )
  readonly odometer!: number | null;

  @Extensions({ access: ['account_activity.read', 'driver'] })
  @NullableField(
    () => Float,
    'Fuel level in percent, from the first or last believed reading of the trip; null for trip maps.',
  )
  readonly fuel_level!: number | null;

  @Extensions({ access: ['places.read', 'driver'] })
  @NullableField(
    () => EndPlace,
    'The place that contains the position, the smallest if there are several; null for callers without ' +
      '`places.read`.',
  )
  readonly place!: EndPlace | null | (() => Promise<EndPlace | null>);

  @NullableField(
    () => Address,
    'Address: city, state and country from GeoNames (geonames.org, CC BY 4.0), and the street if the service has a ' +
      'geocoder. Null more than 20 km from any city; if the window of a trip map cuts the trip there; and, if the account has ' +
      'privacy zones, for everyone except the owner.',
  )
  readonly address!: Address | null;
}
