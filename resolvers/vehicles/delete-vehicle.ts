import { type AccessScope, accountAccessScope } from '../../models/store/tenancy.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import type { Deletion } from '../../schema/deletion.ts';

import { moveDevice, putBack } from '../devices/move-device.ts';
import { type DeletableKind, deleteRecord, restoreRecord } from '../../tracking/retention/delete-record.ts';

const VEHICLES: DeletableKind = {
  kind: 'vehicle',
  model: VehicleStore,
  /** Takes its devices out, so that what they send is not recorded for it. */
  before: async (service, { key, account_key }) => {
    const inside = { vehicle_key: key, status: { $ne: 'removed' as const } };
    const accessScope = accountAccessScope(service, account_key);
    const devices = await DeviceStore.find(accessScope, inside, 'key account_key vehicle_key');
    for (const device of devices) await moveDevice(service, device, null, { status: 'pending' }, true);
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
