import { type Caller, accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { type AccessScope, tripsAccessScope, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { notFound } from '../../schema/service-error.ts';

import { deletedVehicleKeys } from '../retention/delete-record.ts';
import { hiddenZones, zonesOfList } from './hidden-zones.ts';
import { isVehicleVisible } from './visible-vehicle.ts';
import type { Service } from '../../models/store/service.ts';

/** Vehicles of which a caller sees visits and events. */
export interface VisibleVehicles {
  /** The access scope of their trips and visits. */
  readonly accessScope: AccessScope;
  /** Omits vehicles that are deleted and not purged yet. */
  readonly filter: { readonly vehicle_key?: { readonly $nin: readonly string[] } };
}

/** Maximum number of vehicles that are read one by one, each by its index; with more, those of the account are read. */
const FEW_VEHICLES = 20;

/**
 * Finds the vehicles of which a caller sees visits and events: all, those of its groups, or the one that is named; in parts
 * that are read separately. In an account with privacy zones, only the owner sees any: they would reveal positions
 * inside, since the next position ends a visit.
 *
 * @throws ServiceError NOT_FOUND for a vehicle that is not visible
 */
export async function visibleVehicles(
  context: RequestContext,
  vehicleKey: string | null | undefined,
): Promise<readonly VisibleVehicles[]> {
  const accessScope = accessScopeOf(context);
  const ofVehicle = (key: string) => ({ accessScope: vehicleAccessScope(accessScope, { key }), filter: {} });
  if (vehicleKey != null && !(await isVehicleVisible(context, vehicleKey))) throw notFound('vehicle');
  if ((await zonesOfList(context, 'all')).length > 0) return [];
  if (vehicleKey != null) return [ofVehicle(vehicleKey)];
  const all = await vehiclesInGroups(accessScope);
  const { vehicle_keys } = all.accessScope;
  return vehicle_keys != null && vehicle_keys.length <= FEW_VEHICLES ? vehicle_keys.map(ofVehicle) : [all];
}

/** Finds the same as {@link visibleVehicles} of all vehicles, to be read together. */
export async function allVisibleVehicles(service: Service, caller: Caller): Promise<VisibleVehicles> {
  const accessScope = accessScopeOf({ service, caller });
  const isHidden = (await hiddenZones(service, caller)).length > 0;
  return isHidden ? { accessScope: tripsAccessScope(accessScope, []), filter: {} } : vehiclesInGroups(accessScope);
}

/** Returns true if a caller sees visits and events of a vehicle. */
export async function seesEventsOf(service: Service, caller: Caller, vehicleKey: string): Promise<boolean> {
  return (await isVehicleVisible({ service, caller }, vehicleKey)) && (await hiddenZones(service, caller)).length === 0;
}

async function vehiclesInGroups(accessScope: AccessScope): Promise<VisibleVehicles> {
  if (accessScope.group_keys === null) {
    const deleted = await deletedVehicleKeys(accessScope);
    const filter = deleted.length === 0 ? {} : { vehicle_key: { $nin: deleted } };
    return { accessScope: tripsAccessScope(accessScope, null), filter };
  }
  const vehicles = await VehicleStore.find(accessScope, {}, 'key');
  const keys = vehicles.map(({ key }) => key);
  return { accessScope: tripsAccessScope(accessScope, keys), filter: {} };
}
