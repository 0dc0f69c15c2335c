import { Field, InputType } from 'type-graphql';

import { DateTime } from '../date-time-scalars.ts';

import { IssuedDeviceKey } from './api-key.ts';
import { NullableField, RecordType } from '../field-decorators.ts';

/** A vehicle with a device in it. */
@InputType({ description: 'A new vehicle, and the device in it.' })
export class PairingInput {
  @Field(() => String, { description: 'Display name of the vehicle, 1 to 255 characters.' })
  readonly nickname!: string;

  @NullableField(() => String, 'Serial number of the device, unique in the account; chosen by the service if omitted.')
  readonly serial?: string | null;
}

/** A new vehicle with its device, and the key with which the device begins to send. */
@RecordType('A new vehicle with its device, and the key of the device, whose secret is shown only once.')
export class PairedVehicle extends IssuedDeviceKey {
  @Field(() => String, { description: 'Key of the vehicle.' })
  readonly vehicle_key!: string;

  @Field(() => String, { description: 'Key of the device.' })
  readonly device_key!: string;

  @Field(() => DateTime, { description: 'When the key ends unless the device has used it before.' })
  readonly expires!: Date;
}
