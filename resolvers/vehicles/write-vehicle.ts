import { VehicleStore, nicknameFields, type StoredVehicle } from '../../models/vehicles/vehicle.ts';
import { newKey } from '../../models/key.ts';
import { permissionsChanged } from '../../models/store/permission-stamp.ts';
import { type AccessScope, accountAccessScope } from '../../models/store/tenancy.ts';
import { ServiceError } from '../../schema/service-error.ts';
import { VehicleInput } from '../../schema/vehicles/vehicle.ts';
import { memberGroups } from '../groups/member-groups.ts';
import { checkDriver } from '../../models/lookup/account-drivers.ts';
import { existingAccountScope } from '../../models/lookup/any-record.ts';
import type { Service } from '../../models/store/service.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import type { Deletion } from '../../schema/deletion.ts';
import { moveDevice, putBack } from '../devices/move-device.ts';
import { type DeletableKind, deleteRecord, restoreRecord } from '../../tracking/retention/delete-record.ts';

/**
 * Makes a vehicle.
 * @throws ServiceError BAD_REQUEST naming a parameter; FORBIDDEN for a user restricted to groups who names none
 */
export async function createVehicle(accessScope: AccessScope, input: VehicleInput): Promise<StoredVehicle> {
  const key = newKey();
  const now = new Date();
  const change = await vehicleChange(accessScope, { group_keys: [], ...input }, []);
  const { account_key, service } = accessScope;
  const vehicle = await VehicleStore.create(accessScope, {
    ...nicknameFields(null),
    ...change,
    key,
    account_key,
    created: now,
    updated: now,
  });
  // Whoever follows the vehicles of its groups follows it, too.
  if (vehicle.group_path.length > 0) await permissionsChanged(service);
  return vehicle;
}

/**
 * Changes the given fields of a vehicle; returns false if it is not in the access scope. Groups are set on the vehicle as it
 * was read, again if they change meanwhile, since those that the caller cannot see stay as they are.
 *
 * @throws ServiceError BAD_REQUEST naming a parameter
 */
export async function updateVehicle(accessScope: AccessScope, key: string, input: VehicleInput): Promise<boolean> {
  for (;;) {
    const found = await VehicleStore.findOne(accessScope, { key }, { group_keys: 1 });
    if (!found || Object.keys(input).length === 0) return found !== null;
    const { group_keys } = found;
    const isReading = Object.keys(input).every((name) => name === 'odometer');
    const change = {
      ...(await vehicleChange(accessScope, input, group_keys)),
      ...(isReading ? {} : { updated: new Date() }),
    };
    const asRead = input.group_keys === undefined ? { key } : { key, group_keys };
    const { matchedCount } = await VehicleStore.updateOne(accessScope, asRead, change);
    if (matchedCount > 0) return true;
  }
}

/** The stored fields that an input sets. */
async function vehicleChange(accessScope: AccessScope, input: VehicleInput, groupsBefore: readonly string[]) {
  const { driver_key, group_keys } = input;
  if (group_keys === null) throw new ServiceError('BAD_REQUEST', 'group_keys must be a list');
  const read = VehicleInput.read(input);
  return {
    ...read,
    ...(read.nickname !== undefined && nicknameFields(read.nickname)),
    ...(driver_key !== undefined && { driver_key: await checkDriver('driver_key', driver_key, accessScope) }),
    ...(group_keys !== undefined && (await memberGroups(accessScope, group_keys, groupsBefore))),
  };
}

/** Adds a vehicle to an account, as its owner would. Returns the key of the vehicle. */
export async function addVehicle(
  service: Service,
  { account, ...input }: VehicleInput & { readonly account: string },
): Promise<string> {
  return (await createVehicle(await existingAccountScope(service, account), input)).key;
}

const VEHICLES: DeletableKind = {
  kind: 'vehicle',
  model: VehicleStore,
  /** Takes its devices out, so that what they send is not recorded for it, also of earlier times. */
  before: async (service, { key, account_key }) => {
    const inside = { vehicle_key: key, status: { $ne: 'removed' as const } };
    const accessScope = accountAccessScope(service, account_key);
    const devices = await DeviceStore.find(accessScope, inside, 'key account_key vehicle_key');
    for (const device of devices) await moveDevice(service, device, null, { status: 'pending' }, true);
    const formerly = { 'former_vehicles.vehicle_key': key };
    await DeviceStore.updateMany(accessScope, formerly, { $pull: { former_vehicles: { vehicle_key: key } } });
    return devices.map((device) => device.key);
  },
};

/**
 * Deletes a vehicle; its devices are in none then.
 * @throws ServiceError NOT_FOUND
 */
export function deleteVehicle(accessScope: AccessScope, key: string): Promise<Deletion> {
  return deleteRecord(VEHICLES, accessScope, key);
}

/**
 * Restores a deleted vehicle with those of its devices that are in no other vehicle, and its position by these.
 * @throws ServiceError NOT_FOUND
 */
export async function restoreVehicle(accessScope: AccessScope, key: string): Promise<void> {
  const { device_keys, account_key } = await restoreRecord(VEHICLES, accessScope, key);
  const ofThis = { $or: [{ 'left.vehicle_key': key }, { left: null, key: { $in: device_keys } }] };
  const free = { vehicle_key: null, deleted_at: null, ...ofThis };
  const accessScopeOfAll = accountAccessScope(accessScope.service, account_key);
  const devices = await DeviceStore.find(accessScopeOfAll, free, 'key account_key left');
  for (const device of devices) await putBack(accessScopeOfAll.service, device, key);
}
