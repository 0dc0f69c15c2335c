import { Field, Float, Int } from 'type-graphql';

import { Driver } from '../account/driver.ts';
import { GroupName } from '../account/group-name.ts';
import { Tag } from '../account/tag.ts';
import { GraphqlOnly, NotNull, NullableField, RecordType } from '../field-decorators.ts';
import { closedList } from '../closed-list.ts';
import { DateTime, SpacedDateTime } from '../date-time-scalars.ts';
import { GeoPoint } from '../trips/geo-point.ts';
import { Trip } from '../trips/trip.ts';
import { Device } from './device.ts';
import { ServiceError } from '../service-error.ts';
import { type FieldRule, inputOf, NAME, numberFrom, Writable, WritableInput } from '../writable.ts';

/** Motion of a vehicle. */
export const MotionStatus = closedList('MotionStatus', 'Motion of a vehicle.', {
  moving: 'Driving within the last 15 minutes.',
  stopped: 'Stationary, or not reporting.',
});

/** The latest position of a vehicle. */
@RecordType('The latest position of a vehicle.')
export class VehicleLocation {
  @Field(() => GeoPoint, { description: 'Position of the vehicle.' })
  readonly point!: GeoPoint;

  @NullableField(() => Float, 'Speed in miles per hour.')
  readonly speed_mph!: number | null;

  @NullableField(() => Float, 'Direction of travel in degrees, clockwise from north.')
  readonly heading!: number | null;

  @Field(() => DateTime, { description: 'Time of the position, ISO 8601 with offset.' })
  readonly timestamp!: Date;

  @Field(() => MotionStatus, { description: 'Motion of the vehicle.' })
  readonly motion_status!: keyof typeof MotionStatus;
}

/** A vehicle identification number, which is stored in capitals (ISO 3779: 17 characters without I, O and Q). */
const VIN: FieldRule<string> = {
  limits: '17 letters and digits',
  read: (parameter, text) => {
    const vin = text.trim().toUpperCase();
    if (/^[A-HJ-NPR-Z0-9]{17}$/.test(vin)) return vin;
    throw new ServiceError('BAD_REQUEST', `${parameter} must have 17 letters and digits, without I, O and Q`);
  },
};

/** A vehicle whose trips are recorded. Shape: decisions, "Records". */
@RecordType('A vehicle whose trips are recorded.')
export class Vehicle {
  @Field(() => String, { description: 'Unique vehicle key.' })
  readonly key!: string;

  @Writable(() => String, 'Display name.', {
    nullable: true,
    rule: NAME,
    option: '--nickname <name>',
    optionDescription: 'display name of the vehicle',
  })
  readonly nickname!: string | null;

  @Writable(() => String, 'Vehicle identification number.', { nullable: true, rule: VIN, option: '--vin <vin>' })
  readonly vin!: string | null;

  @Writable(() => String, 'License plate number.', { nullable: true, rule: NAME, option: '--plate-number <number>' })
  readonly plate_number!: string | null;

  @Writable(() => Int, 'Model year.', { nullable: true, rule: numberFrom(1886, 2100), option: '--year <year>' })
  readonly year!: number | null;

  @Writable(() => String, 'Manufacturer.', { nullable: true, rule: NAME, option: '--make <name>' })
  readonly make!: string | null;

  @Writable(() => String, 'Model.', { nullable: true, rule: NAME, option: '--model <name>' })
  readonly model!: string | null;

  @Writable(() => Float, 'Odometer in miles; null for apps if the account has privacy zones.', {
    nullable: true,
    inputDescription: 'Odometer in miles.',
    rule: numberFrom(0, 10_000_000, '0 to 10 million'),
    option: '--odometer <miles>',
  })
  readonly odometer!: number | null;

  @Field(() => [String], { description: 'Keys of the devices in the vehicle.' })
  readonly device_keys!: string[] | (() => Promise<string[]>);

  @GraphqlOnly()
  @Field(() => [Device], { description: 'The devices in the vehicle; empty for callers without `account.read`.' })
  readonly devices!: readonly Device[] | (() => Promise<readonly Device[]>);

  @GraphqlOnly()
  @Field(() => [GroupName], { description: 'Groups of the vehicle that the caller can see.' })
  readonly groups!: readonly GroupName[] | (() => Promise<readonly GroupName[]>);

  @GraphqlOnly()
  @Field(() => [Tag], { description: 'Tags on the vehicle.' })
  readonly tags!: readonly Tag[] | (() => Promise<readonly Tag[]>);

  @GraphqlOnly()
  @NullableField(
    () => Trip,
    'The latest trip that the caller can see; null for callers without `account_activity.read`.',
  )
  readonly last_trip!: Trip | null;

  @NullableField(() => Driver, 'The user who usually drives it.')
  readonly driver!: Driver | null | (() => Promise<Driver | null>);

  @NullableField(
    () => VehicleLocation,
    'The latest position; null for callers without `account_activity.read`, and if privacy zones hide it.',
  )
  readonly vehicle_location!: VehicleLocation | null | (() => Promise<VehicleLocation | null>);

  @Field(() => [String], { description: "Keys of the vehicle's groups." })
  readonly group_keys!: string[];

  @Field(() => SpacedDateTime, { description: 'When the vehicle was created, `YYYY-MM-DD hh:mm:ss` (UTC).' })
  readonly created!: Date;

  @NullableField(
    () => SpacedDateTime,
    'When the vehicle was last changed, apart from its odometer, `YYYY-MM-DD hh:mm:ss` (UTC).',
  )
  readonly updated!: Date | null;
}

/** A vehicle, and its distance from a point. */
@RecordType('A vehicle, and its distance from a point.')
export class NearbyVehicle extends Vehicle {
  @Field(() => Float, { description: 'Distance in miles, to one decimal.' })
  readonly distance_in_miles!: number;
}

/** Fields of a vehicle that its account sets. Omitted fields stay unchanged; null clears a field. */
@WritableInput({ description: 'The writable fields of a vehicle. Omitted fields stay unchanged; null clears a field.' })
export class VehicleInput extends inputOf(Vehicle) {
  @NullableField(() => String, 'Key of the user who usually drives it.')
  readonly driver_key?: string | null;

  @NotNull()
  @NullableField(() => [String], 'Keys of all groups of the vehicle.')
  readonly group_keys?: string[] | null;
}
