import { type Caller, accessScopeOf, isPermitted } from '../../auth/caller.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import type { StoredVehicle } from '../../models/vehicles/vehicle.ts';
import { type Device, PRESENT_STATUSES } from '../../schema/vehicles/device.ts';
import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';
import type { Vehicle } from '../../schema/vehicles/vehicle.ts';

import { presentDevices } from '../devices/device-presence.ts';
import { groupNames } from '../groups/member-groups.ts';
import { tagsByKey } from '../../models/lookup/tags-by-key.ts';
import { hiddenZones } from '../../tracking/visibility/hidden-zones.ts';
import { driversByKey } from '../../models/lookup/account-drivers.ts';
import { type LocatingDevice, locationOf } from '../../tracking/visibility/vehicle-location.ts';
import { once } from '../../schema/once.ts';
import type { Service } from '../../models/store/service.ts';

/** A vehicle as it is read to be shown. */
export type ReadVehicle = Pick<StoredVehicle, (keyof Vehicle & keyof StoredVehicle) | (typeof READ_TOO)[number]>;

/** Hidden fields of vehicles from which shown ones are made. */
export const READ_TOO = ['driver_key', 'tag_keys'] as const;

/**
 * Adds to vehicles what is stored elsewhere, each kind by one query. Groups that the caller cannot see are omitted, and so is the
 * odometer if privacy zones are hidden from the caller: from it follows how far a vehicle drove in these.
 */
export async function completeVehicles(
  service: Service,
  caller: Caller,
  vehicles: readonly ReadVehicle[],
): Promise<Omit<Vehicle, 'last_trip'>[]> {
  const accessScope = accessScopeOf({ service, caller });
  const keys = vehicles.map((vehicle) => vehicle.key);
  const groups = once(() => groupNames(vehicles, accessScope));
  const tags = once(() => tagsByKey(service, accessScope.account_key, vehicles));
  const inside = once(() => devicesByVehicle(keys, accessScope));
  const [seen, zones] = await Promise.all([
    accessScope.group_keys === null ? null : groups(),
    hiddenZones(service, caller),
  ]);
  const zonesOfPositions = seesPositions(caller) ? zones : null;
  const now = Date.now();
  const devices = once(() => devicesIn(service, caller, keys));
  const drivers = once(() =>
    driversByKey(
      service,
      accessScope.account_key,
      vehicles.map(({ driver_key }) => driver_key),
    ),
  );
  return vehicles.map(({ driver_key, tag_keys, ...vehicle }) => ({
    ...vehicle,
    odometer: zones.length === 0 ? vehicle.odometer : null,
    device_keys: async () => ((await inside()).get(vehicle.key) ?? []).map((device) => device.key),
    vehicle_location: async () => locationOf((await inside()).get(vehicle.key) ?? [], zonesOfPositions, now),
    group_keys: vehicle.group_keys.filter((key) => seen === null || seen.has(key)),
    groups: async () => {
      const found = await groups();
      return vehicle.group_keys.flatMap((key) => found.get(key) ?? []);
    },
    tags: async () => {
      const found = await tags();
      return tag_keys.flatMap((key) => found.get(key) ?? []);
    },
    devices: async () => (await devices()).filter((device) => device.vehicle_key === vehicle.key),
    driver: async () => (driver_key === null ? null : ((await drivers()).get(driver_key) ?? null)),
  }));
}

async function devicesByVehicle(
  keys: readonly string[],
  accessScope: AccessScope,
): Promise<ReadonlyMap<string | null, LocatingDevice[]>> {
  const devices = await DeviceStore.find(
    accessScope,
    { vehicle_key: { $in: keys }, status: { $ne: 'removed' } },
    { key: 1, vehicle_key: 1, position: 1, seen_outside: 1 },
  );
  // Sorted here: a database that is told to sort may go through all devices of the account in that order.
  devices.sort((a, b) => (a._id.toString() < b._id.toString() ? -1 : 1));
  const byVehicle = new Map<string | null, LocatingDevice[]>(keys.map((key) => [key, []]));
  for (const device of devices) byVehicle.get(device.vehicle_key)?.push(device);
  return byVehicle;
}

/** The privacy zones that are hidden from a caller; null for one who sees no positions. */
export async function zonesFor(service: Service, caller: Caller): Promise<readonly PrivacyZone[] | null> {
  return seesPositions(caller) ? hiddenZones(service, caller) : null;
}

function seesPositions(caller: Caller): boolean {
  return isPermitted(caller, ['account_activity.read']);
}

async function devicesIn(service: Service, caller: Caller, keys: readonly string[]): Promise<readonly Device[]> {
  if (!isPermitted(caller, ['account.read'])) return [];
  const filter = { vehicle_key: { $in: keys }, status: { $in: PRESENT_STATUSES } };
  const query = { accessScope: accessScopeOf({ service, caller }), filter, hidden: ['seen_outside'] as const };
  return presentDevices(service, caller, await DeviceStore.readShown(query, { sort: { _id: 1 } }));
}
