import { type Caller, accessScopeOf, isTripMap, type RequestContext, StreamProgress } from '../../auth/caller.ts';
import { GroupModel } from '../../models/account/group.ts';
import type { AccessScope } from '../../models/tenancy.ts';
import { stateOfZones } from '../../models/vehicles/privacy-zone.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';

import { hiddenZones } from '../privacy-zones/hidden-zones.ts';
import { tripScopeOf } from '../trips/trip-visibility.ts';
import { MovedVehicles } from './moved-vehicles.ts';
import { movedDevices } from '../recording/moved-devices.ts';

/** Vehicles by their keys, or by the group that they are in. */
export interface NamedVehicles {
  readonly vehicle_keys?: readonly string[] | null;
  readonly group_key?: string | null;
}

const MAX_VEHICLES = 1000;

/**
 * Follows vehicles: their newest positions now, and each later one.
 *
 * @throws ServiceError BAD_REQUEST naming a parameter, NOT_FOUND for a vehicle or group outside the access scope
 */
export async function followVehicles(
  { caller, progress = new StreamProgress() }: RequestContext,
  named: NamedVehicles,
): Promise<MovedVehicles> {
  if (caller.kind === 'share' && caller.trip_key !== null) {
    throw new ServiceError('FORBIDDEN', 'The link is for one trip');
  }
  const accessScope = accessScopeOf(caller);
  const vehicle_keys = await keysOf(caller, accessScope, named);
  const zones = await hiddenZones(caller);
  const { account_key } = accessScope;
  const window = isTripMap(caller) ? caller.scope : {};
  const seesAll = caller.kind === 'owner' || caller.kind === 'operator';
  const moved = new MovedVehicles({ account_key, vehicle_keys, zones, window, sent: progress.positions }, seesAll);
  try {
    // Read while listening: a position that is stored meanwhile is told of in either case. Zones that were created
    // meanwhile hide all of them, and the reader begins anew.
    const devices = await movedDevices(account_key, vehicle_keys);
    const state = stateOfZones(await hiddenZones(caller));
    for (const device of devices) moved.moved(device, state);
  } catch (error) {
    await moved.return();
    throw error;
  }
  return moved;
}

async function keysOf(caller: Caller, accessScope: AccessScope, named: NamedVehicles): Promise<readonly string[]> {
  const { vehicle_keys = null, group_key = null } = named;
  if ((vehicle_keys === null) === (group_key === null)) {
    throw new ServiceError('BAD_REQUEST', 'Send vehicle_keys or group_key, and not both');
  }
  if (vehicle_keys === null) return keysInGroup(caller, accessScope, group_key ?? '');
  if (vehicle_keys.length === 0 || vehicle_keys.length > MAX_VEHICLES) {
    throw new ServiceError('BAD_REQUEST', `vehicle_keys must name 1 to ${MAX_VEHICLES} vehicles`);
  }
  const keys = [...new Set(vehicle_keys)];
  for (const key of keys) tripScopeOf(caller, key);
  const found = await VehicleModel.find({ key: { $in: keys } }, { key: 1 }, { accessScope }).lean();
  if (found.length < keys.length) throw notFound('vehicle');
  return keys;
}

async function keysInGroup(caller: Caller, accessScope: AccessScope, group_key: string): Promise<string[]> {
  if (isTripMap(caller)) throw new ServiceError('UNAUTHENTICATED', 'The token is for one vehicle');
  const group = await GroupModel.findOne({ key: group_key }, { key: 1 }, { accessScope }).lean();
  if (!group) throw notFound('group');
  const found = await VehicleModel.find({ group_path: group_key }, { key: 1 }, { accessScope }).lean();
  return found.map(({ key }) => key);
}
