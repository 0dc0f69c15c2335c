import { Field, ObjectType } from 'type-graphql';

import { VehicleLocation } from './vehicle.ts';

/** A vehicle that has moved, with its newest position. */
@ObjectType({ simpleResolvers: true, description: 'A vehicle that moved, with its latest position.' })
export class VehicleMovement {
  @Field(() => String, { description: 'Key of the vehicle.' })
  readonly vehicle_key!: string;

  @Field(() => VehicleLocation, { description: 'The latest position of the vehicle.' })
  readonly vehicle_location!: VehicleLocation;
}
