import type { AccessScope } from '../../models/tenancy.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';

/** Keys of those vehicles of trips that are in the access scope. */
export async function accessibleVehicleKeys(
  accessScope: AccessScope,
  trips: readonly { readonly vehicle_key: string }[],
): Promise<ReadonlySet<string>> {
  const keys = [...new Set(trips.map(({ vehicle_key }) => vehicle_key))];
  if (keys.length === 0) return new Set();
  const found = await VehicleModel.find({ key: { $in: keys } }, { key: 1 }, { accessScope }).lean();
  return new Set(found.map(({ key }) => key));
}

/** Keys of all vehicles in the access scope; null where they are more than `few`. */
export async function vehicleKeysIfFew(accessScope: AccessScope, few: number): Promise<readonly string[] | null> {
  const found = await VehicleModel.find({}, { key: 1 }, { accessScope })
    .limit(few + 1)
    .lean();
  return found.length > few ? null : found.map(({ key }) => key);
}
