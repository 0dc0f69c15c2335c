import { Arg, Resolver, Root, Subscription } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';
import { VehicleMovement } from '../../schema/vehicles/vehicle-movement.ts';

import { followVehicles, type NamedVehicles } from './follow-vehicles.ts';

/** Movements of vehicles as they happen. */
@Resolver()
export class VehicleMovementResolver {
  @Access('account_activity.read', 'embed')
  @Subscription(() => VehicleMovement, {
    subscribe: ({ args, context }) => followVehicles(context as RequestContext, args as NamedVehicles),
    description:
      'The latest position of each vehicle, then every new one. A slow reader gets the latest, not all of them.',
  })
  vehicle_moved(
    @Arg('vehicle_keys', () => [String], { nullable: true, description: 'Keys of the vehicles, at most 1,000.' })
    _vehicle_keys: readonly string[] | null | undefined,
    @Arg('group_key', () => String, {
      nullable: true,
      description: 'All vehicles of this group and the groups below it, instead of `vehicle_keys`.',
    })
    _group_key: string | null | undefined,
    @Root() movement: VehicleMovement,
  ): VehicleMovement {
    return movement;
  }
}
