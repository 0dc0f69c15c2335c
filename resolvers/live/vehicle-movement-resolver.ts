import { Arg, Resolver, Root, Subscription } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import {
  accessScopeOf,
  actsAsOwner,
  type Caller,
  isTripMap,
  type RequestContext,
  StreamProgress,
  vehicleKeysOf,
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
  const names = await namesOf(caller, accessScope, named);
  const isNamed = named.vehicle_keys != null || named.group_key != null;
  const isWhole = !isNamed && !isTripMap(caller) && accessScope.group_keys === null;
  const vehicle_keys = isWhole ? [ALL_VEHICLES] : [...names.keys()];
  const zones = await hiddenZones(accessScope.service, caller);
  const { account_key } = accessScope;
  const window = isTripMap(caller) ? caller.scope : {};
  const trip_key = caller.kind === 'share' ? caller.trip_key : null;
  const [vehicle_key] = vehicle_keys;
  const trip = vehicle_key && trip_key !== null ? await followedTrip(context, vehicle_key, trip_key) : null;
  const moved = new MovedVehicles(
    { service: context.service, account_key, vehicle_keys, names, zones, window, trip, sent: progress.positions },
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

/** Names of the vehicles to follow, by their keys. */
async function namesOf(
  caller: Caller,
  accessScope: AccessScope,
  { vehicle_keys = null, group_key = null }: NamedVehicles,
): Promise<ReadonlyMap<string, string | null>> {
  if (vehicle_keys !== null && group_key !== null) {
    throw new ServiceError('BAD_REQUEST', 'Send vehicle_keys or group_key, and not both');
  }
  if (group_key !== null) {
    if (isTripMap(caller)) throw new ServiceError('UNAUTHENTICATED', 'The token is not for a group_key');
    const group = await GroupStore.findOne(accessScope, { key: group_key }, { key: 1 });
    if (!group) throw notFound('group');
    return namesBy(accessScope, { group_path: group_key });
  }
  const named = vehicle_keys ?? (isTripMap(caller) ? vehicleKeysOf(caller) : null);
  if (named === null) return namesBy(accessScope, {});
  if (vehicle_keys !== null && (named.length === 0 || named.length > MAX_VEHICLES)) {
    throw new ServiceError('BAD_REQUEST', `vehicle_keys must name 1 to ${MAX_VEHICLES} vehicles`);
  }
  const keys = [...new Set(named)];
  for (const key of keys) tripScopeOf(caller, key);
  const names = await namesBy(accessScope, { key: { $in: keys } });
  if (vehicle_keys !== null && names.size < keys.length) throw notFound('vehicle');
  return names;
}

async function namesBy(accessScope: AccessScope, filter: Readonly<Record<string, unknown>>) {
  const found = await VehicleStore.find(accessScope, filter, { key: 1, nickname: 1 });
  return new Map(found.map(({ key, nickname }) => [key, nickname]));
}
