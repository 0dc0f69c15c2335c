import { Arg, Resolver, Root, Subscription } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import {
  accessScopeOf,
  actsAsOwner,
  type Caller,
  isTripMap,
  type RequestContext,
  StreamProgress,
} from '../../auth/caller.ts';
import { GroupStore } from '../../models/account/group.ts';
import { type AccessScope, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { stateOfZones } from '../../models/vehicles/privacy-zone.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { VehicleMovement } from '../../schema/vehicles/vehicle-movement.ts';

import { hiddenZones } from '../../tracking/visibility/hidden-zones.ts';
import { oneTrip } from '../trips/list-trips.ts';
import { FEWEST_FIELDS } from '../../tracking/views/trip-fields.ts';
import { tripScopeOf } from '../../tracking/visibility/trip-visibility.ts';
import { type FollowedTrip, MovedVehicles } from '../../notifying/live/moved-vehicles.ts';
import { ALL_VEHICLES } from '../../tracking/recording/position-notices.ts';
import { movedDevices } from '../../tracking/recording/moved-devices.ts';

/** Vehicles by their keys, or by the group that they are in. */
export interface NamedVehicles {
  readonly vehicle_keys?: readonly string[] | null;
  readonly group_key?: string | null;
}

const MAX_VEHICLES = 1000;

/** Movements of vehicles as they happen. */
@Resolver()
export class VehicleMovementResolver {
  @Access('account_activity.read', 'embed')
  @Subscription(() => VehicleMovement, {
    subscribe: ({ args, context }) => followVehicles(context as RequestContext, args as NamedVehicles),
    description:
      'The latest position of each vehicle, then every new one: of all vehicles that the caller can see, unless arguments ' +
      'name some. A slow reader gets the latest, not all of them.',
  })
  vehicleMoved(
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

/**
 * Follows vehicles: their newest positions now, and each later one.
 *
 * @throws ServiceError BAD_REQUEST naming a parameter, NOT_FOUND for a vehicle or group outside the access scope
 */
export async function followVehicles(context: RequestContext, named: NamedVehicles): Promise<MovedVehicles> {
  const { caller, progress = new StreamProgress() } = context;
  const accessScope = accessScopeOf(context);
  const vehicle_keys = await keysOf(caller, accessScope, named);
  const zones = await hiddenZones(accessScope.service, caller);
  const { account_key } = accessScope;
  const window = isTripMap(caller) ? caller.scope : {};
  const { vehicle_key = null, trip_key = null } = caller.kind === 'share' ? caller : {};
  const trip = vehicle_key !== null && trip_key !== null ? await followedTrip(context, vehicle_key, trip_key) : null;
  const moved = new MovedVehicles(
    { service: context.service, account_key, vehicle_keys, zones, window, trip, sent: progress.positions },
    actsAsOwner(caller),
  );
  try {
    // Read while listening: a position that is stored meanwhile is told of in either case. Zones that were created
    // meanwhile hide all of them, and the reader begins again.
    const devices = await movedDevices(accessScope.service, account_key, vehicle_keys);
    const state = stateOfZones(await hiddenZones(accessScope.service, caller));
    for (const device of devices) moved.moved(device, state);
  } catch (error) {
    await moved.return();
    throw error;
  }
  return moved;
}

/**
 * The trip that a link shows. It is read for each position: the last one of its device may be of the next trip already, or be
 * an earlier one, if privacy zones hide those since. What cannot be read, also for the work that it costs, is not shown.
 */
async function followedTrip(context: RequestContext, vehicle_key: string, trip_key: string): Promise<FollowedTrip> {
  const accessScope = vehicleAccessScope(accessScopeOf(context), { key: vehicle_key });
  const known = await TripStore.findOne(accessScope, { key: trip_key, staged: false }, 'device_key');
  const includes = async (time: number) => {
    try {
      const { start_point, end_point } = await oneTrip(context, vehicle_key, trip_key, FEWEST_FIELDS);
      return start_point.timestamp.getTime() <= time && time <= end_point.timestamp.getTime();
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  };
  return { device_key: known?.device_key ?? null, includes };
}

async function keysOf(caller: Caller, accessScope: AccessScope, named: NamedVehicles): Promise<readonly string[]> {
  const { vehicle_keys = null, group_key = null } = named;
  if (vehicle_keys !== null && group_key !== null) {
    throw new ServiceError('BAD_REQUEST', 'Send vehicle_keys or group_key, and not both');
  }
  if (group_key !== null) return keysInGroup(caller, accessScope, group_key);
  if (vehicle_keys === null) return visibleKeys(caller, accessScope);
  if (vehicle_keys.length === 0 || vehicle_keys.length > MAX_VEHICLES) {
    throw new ServiceError('BAD_REQUEST', `vehicle_keys must name 1 to ${MAX_VEHICLES} vehicles`);
  }
  const keys = [...new Set(vehicle_keys)];
  for (const key of keys) tripScopeOf(caller, key);
  const found = await VehicleStore.find(accessScope, { key: { $in: keys } }, { key: 1 });
  if (found.length < keys.length) throw notFound('vehicle');
  return keys;
}

async function visibleKeys(caller: Caller, accessScope: AccessScope): Promise<readonly string[]> {
  if (isTripMap(caller)) return [caller.vehicle_key];
  if (accessScope.group_keys === null) return [ALL_VEHICLES];
  return (await VehicleStore.find(accessScope, {}, { key: 1 })).map(({ key }) => key);
}

async function keysInGroup(caller: Caller, accessScope: AccessScope, group_key: string): Promise<string[]> {
  if (isTripMap(caller)) throw new ServiceError('UNAUTHENTICATED', 'The token is for one vehicle');
  const group = await GroupStore.findOne(accessScope, { key: group_key }, { key: 1 });
  if (!group) throw notFound('group');
  const found = await VehicleStore.find(accessScope, { group_path: group_key }, { key: 1 });
  return found.map(({ key }) => key);
}
