import { Field, Float, Int } from 'type-graphql';

import { checkName } from '../check-name.ts';
import { closedList } from '../closed-list.ts';
import { connectionOf } from '../page.ts';
import { SpacedDateTime } from '../date-time-scalars.ts';
import { ServiceError } from '../service-error.ts';
import { GeoPoint, GeoPointInput } from '../trips/geo-point.ts';
import { ANY, type FieldRule, inputOf, numberFrom, Writable, WritableInput } from '../writable.ts';
import { RecordType } from '../field-decorators.ts';

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

/** Days of the week, which are stored in order, each once. */
const WEEKDAYS: FieldRule<readonly number[]> = {
  read: (parameter, days) => {
    const isDay = (day: number) => Number.isInteger(day) && day >= 0 && day < 7;
    if (days.every(isDay)) return [...new Set(days)].toSorted((a, b) => a - b);
    throw new ServiceError('BAD_REQUEST', `${parameter} must be numbers from 0 (Monday) to 6 (Sunday)`);
  },
};

const TIME_OF_DAY: FieldRule<string> = {
  read: (parameter, time) => {
    if (/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) return time;
    throw new ServiceError('BAD_REQUEST', `${parameter} must be a time of day, such as 07:30`);
  },
};

const TIME_ZONE: FieldRule<string> = {
  read: (parameter, zone) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
    } catch {
      throw new ServiceError('BAD_REQUEST', `${parameter} must be the name of a time zone, such as Europe/Berlin`);
    }
  },
};

/** A named area of an account: a circle or a polygon. Positions in it create visits. */
@RecordType('A named area of the account, a circle or a polygon.')
export class Place {
  @Field(() => String, { description: 'Unique place key.' })
  readonly key!: string;

  @Writable(() => String, 'Name of the place, 1 to 255 characters.', {
    rule: { read: checkName },
    option: '--name <name>',
  })
  readonly name!: string;

  @Writable(() => PlaceCategory, 'The kind of the place.', {
    inputDescription: 'The kind of the place; `other` by default.',
    rule: ANY,
    option: '--category <category>',
    optionDescription: 'kind of the place',
  })
  readonly category!: PlaceCategory;

  @Writable(() => GeoPoint, 'Center of the circle; null if the place is a polygon.', {
    nullable: true,
    inputType: () => GeoPointInput,
    inputDescription: 'Center of a circle.',
    option: '--point <lat,lon>',
    optionDescription: 'center of a circle, in degrees',
  })
  readonly point!: GeoPoint | null;

  @Writable(() => Float, 'Radius of the circle in meters, 1 to 100000; null if the place is a polygon.', {
    nullable: true,
    inputDescription: 'Radius of the circle in meters, 1 to 100000.',
    option: '--radius <meters>',
    optionDescription: 'radius of the circle',
  })
  readonly radius!: number | null;

  @Writable(() => [GeoPoint], 'Corners of the polygon in order, 3 to 1,000; empty if the place is a circle.', {
    inputType: () => [GeoPointInput],
    inputDescription: 'Corners of a polygon in order, 3 to 1,000; the first may be repeated as the last.',
    option: '--polygon <lat,lon...>',
    optionDescription: 'corners of a polygon in order, instead of a circle',
  })
  readonly polygon!: GeoPoint[];

  @Writable(
    () => Float,
    'Width of the border around the area, in meters: a vehicle has left the place when it is farther away than this.',
    {
      defaultValue: 50,
      inputDescription:
        'Width of the border around the area, in meters: a vehicle has left when it is farther away. 50 by default.',
      rule: numberFrom(0, 1000),
      option: '--border-meters <meters>',
      optionDescription: 'width of the border around the area',
    },
  )
  readonly border_meters!: number;

  @Writable(
    () => Int,
    'Seconds outside the area after which a vehicle has left, even if it is in the border; at least `dwell_seconds`.',
    {
      defaultValue: 300,
      inputDescription:
        'Seconds outside the area after which a vehicle has left, even if it is in the border; at least `dwell_seconds`. ' +
        '300 by default.',
      rule: numberFrom(0, 86_400),
      option: '--border-seconds <seconds>',
      optionDescription: 'seconds outside after which a vehicle has left',
    },
  )
  readonly border_seconds!: number;

  @Writable(
    () => Int,
    'Seconds in the area after which a vehicle has arrived, and beyond the border after which it has left.',
    {
      defaultValue: 0,
      inputDescription:
        'Seconds in the area after which a vehicle has arrived, and beyond the border after which it has left. ' +
        '0 by default.',
      rule: numberFrom(0, 900),
      option: '--dwell-seconds <seconds>',
      optionDescription: 'seconds inside or beyond the border that count',
    },
  )
  readonly dwell_seconds!: number;

  @Writable(() => [Int], 'Days on which arrivals and departures create events, 0 (Monday) to 6 (Sunday).', {
    inputDescription: 'Days on which arrivals and departures create events, 0 (Monday) to 6 (Sunday). All by default.',
    rule: WEEKDAYS,
    option: '--active-weekday <day...>',
    optionDescription: 'days with events, 0 (Monday) to 6',
  })
  readonly active_weekdays!: number[];

  @Writable(
    () => String,
    'Time of day, `hh:mm` in `time_zone`, from which arrivals and departures create events; null for all day.',
    {
      nullable: true,
      rule: TIME_OF_DAY,
      option: '--from-time <hh:mm>',
      optionDescription: 'time of day from which there are events',
    },
  )
  readonly from_time!: string | null;

  @Writable(
    () => String,
    'Time of day until which arrivals and departures create events; on the next day if it is before `from_time`.',
    {
      nullable: true,
      rule: TIME_OF_DAY,
      option: '--to-time <hh:mm>',
      optionDescription: 'time of day until which there are events',
    },
  )
  readonly to_time!: string | null;

  @Writable(() => String, 'IANA time zone of weekdays and times of day, such as `Europe/Berlin`.', {
    defaultValue: 'UTC',
    inputDescription: 'IANA time zone of weekdays and times of day, such as `Europe/Berlin`. `UTC` by default.',
    rule: TIME_ZONE,
    option: '--time-zone <name>',
    optionDescription: 'time zone of weekdays and times, such as Europe/Berlin',
  })
  readonly time_zone!: string;

  @Writable(() => Boolean, 'True if arrivals create events.', {
    defaultValue: true,
    inputDescription: 'True if arrivals create events. True by default.',
    rule: ANY,
    option: '--notifying-arrival <boolean>',
  })
  readonly notifying_arrival!: boolean;

  @Writable(() => Boolean, 'True if departures create events.', {
    defaultValue: true,
    inputDescription: 'True if departures create events. True by default.',
    rule: ANY,
    option: '--notifying-departure <boolean>',
  })
  readonly notifying_departure!: boolean;

  @Field(() => SpacedDateTime, { description: 'When the place was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @Field(() => SpacedDateTime, { description: 'When the place was last changed, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly updated!: Date;
}

/** A page of places. */
export const PlaceConnection = connectionOf(Place, 'Place');

/** Fields for creating or changing a place. */
@WritableInput({
  description:
    'The writable fields of a place. A new place requires `name`, and `point` with `radius`, or `polygon`. ' +
    'In an update, omitted fields stay unchanged; `polygon` replaces a circle, and `point` with `radius` ' +
    'replaces a polygon.',
})
export class PlaceInput extends inputOf(Place, { nulls: 'ignored' }) {}
