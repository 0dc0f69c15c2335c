import { Field } from 'type-graphql';

import { VehicleLocation } from './vehicle.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** A vehicle that has moved, with its newest position. */
@RecordType('A vehicle that moved, with its latest position.')
export class VehicleMovement {
  @Field(() => String, { description: 'Key of the vehicle.' })
  readonly vehicle_key!: string;

  @NullableField(() => String, 'Display name when the stream began; null for vehicles that came later.')
  readonly nickname!: string | null;

  @NullableField(
    () => VehicleLocation,
    'The latest position of the vehicle; null if it has left the vehicles that are followed.',
  )
  readonly vehicle_location!: VehicleLocation | null;
}
