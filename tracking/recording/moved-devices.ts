import { accountAccessScope } from '../../models/store/tenancy.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { PRESENT_STATUSES } from '../../schema/vehicles/device.ts';

import { ALL_VEHICLES, type MovedDevice } from './position-notices.ts';
import type { Service } from '../../models/store/service.ts';

/** Devices in vehicles of an account that have a position. */
export async function movedDevices(
  service: Service,
  account_key: string,
  vehicle_keys: readonly string[],
  further: Readonly<Record<string, unknown>> = {},
): Promise<MovedDevice[]> {
  const filter = {
    vehicle_key: vehicle_keys.includes(ALL_VEHICLES) ? { $ne: null } : { $in: [...vehicle_keys] },
    status: { $in: PRESENT_STATUSES },
    position: { $ne: null },
  };
  const fields = { key: 1, vehicle_key: 1, position: 1, seen_outside: 1 } as const;
  const accessScope = accountAccessScope(service, account_key);
  return DeviceStore.find(accessScope, { ...filter, ...further }, fields);
}
