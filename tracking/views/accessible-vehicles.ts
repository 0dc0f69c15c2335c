import type { AccessScope } from '../../models/store/tenancy.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';

/** Keys of those vehicles of trips that are in the access scope. */
export async function accessibleVehicleKeys(
  accessScope: AccessScope,
  trips: readonly { readonly vehicle_key: string }[],
): Promise<ReadonlySet<string>> {
  const keys = [...new Set(trips.map(({ vehicle_key }) => vehicle_key))];
  if (keys.length === 0) return new Set();
  const found = await VehicleStore.find(accessScope, { key: { $in: keys } }, { key: 1 });
  return new Set(found.map(({ key }) => key));
}

/** Keys of all vehicles in the access scope; null if they are more than `few`. */
export async function vehicleKeysIfFew(accessScope: AccessScope, few: number): Promise<readonly string[] | null> {
  const found = await VehicleStore.find(accessScope, {}, { key: 1 }).limit(few + 1);
  return found.length > few ? null : found.map(({ key }) => key);
}
