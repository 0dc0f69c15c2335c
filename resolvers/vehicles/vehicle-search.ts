import type { AccessScope } from '../../models/store/tenancy.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';

import { partSearch } from '../input/part-search.ts';

/** Number of characters of a vehicle identification number. */
const VIN_LENGTH = 17;

/**
 * Condition on vehicles with a text in any part of their nickname, ignoring case, or where there is one, with that vehicle
 * identification number; none for an empty text.
 */
export async function vehicleSearch(accessScope: AccessScope, text: string): Promise<Record<string, unknown>> {
  const vin = text.trim().toUpperCase();
  if (vin.length === VIN_LENGTH && (await VehicleStore.countDocuments(accessScope, { vin })) > 0) return { vin };
  return partSearch('nickname', text);
}
