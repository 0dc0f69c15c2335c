import { Field, ObjectType } from 'type-graphql';

import { VehicleLocation } from './vehicle.ts';

/** A vehicle that has moved, with its newest position. */
@ObjectType({ simpleResolvers: true, description: 'A vehicle that moved, with its latest position.' })
export class VehicleMovement {
  @Field(() => String, { description: 'Key of the vehicle.' })
  readonly vehicle_key!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Display name when the stream began; null for vehicles that came later.',
  })
  readonly nickname!: string | null;

  @Field(() => VehicleLocation, {
    nullable: true,
    description: 'The latest position of the vehicle; null if it has left the vehicles that are followed.',
  })
  readonly vehicle_location!: VehicleLocation | null;
}
