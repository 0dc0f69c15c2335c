import { Field, ObjectType } from 'type-graphql';

import { VehicleLocation } from './vehicle.ts';

/** A vehicle that has moved, with its newest position. */
@ObjectType({ simpleResolvers: true, description: 'A vehicle that has moved, with its newest position.' })
export class VehicleMovement {
  @Field(() => String, { description: 'Key of the vehicle.' })
  readonly vehicle_key!: string;

  @Field(() => VehicleLocation, { description: 'Where the vehicle is.' })
  readonly vehicle_location!: VehicleLocation;
}
