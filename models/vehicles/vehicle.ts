import { Vehicle } from '../../schema/vehicles/vehicle.ts';

import { modelOf, type Stored } from '../model-of.ts';
import { accountAccessScope } from '../tenancy.ts';

/** Fields of a vehicle that never leave. */
interface VehicleHidden {
  readonly account_key: string;
  /** The vehicle's groups and all above them. */
  readonly group_path: readonly string[];
  /** Counts the changes of what trip maps see of its trips: see {@link tripsChanged}. */
  readonly trips_revision: number;
}

/** A vehicle as it is read from the database. */
export type StoredVehicle = Stored<Vehicle, VehicleHidden, 'device_keys'>;

/** Vehicles; `device_keys` is read from the devices. */
export const VehicleModel = modelOf<Vehicle, VehicleHidden, 'device_keys'>(Vehicle, {
  collection: 'vehicles',
  tenancy: 'groups',
  computed: ['device_keys'],
  hidden: {
    account_key: { type: String, required: true },
    group_path: { type: [String], default: [] },
    trips_revision: { type: Number, default: 0 },
  },
  indexes: [
    [{ account_key: 1, _id: 1 }],
    [{ account_key: 1, group_path: 1, _id: 1 }],
    [{ account_key: 1, nickname: 1 }],
  ],
});

/**
 * Says that what trip maps see of vehicles of an account has changed, once what was written is there: an answer that was
 * worked out before is then known to be old. Without vehicles nothing is said, and nothing of what happened in privacy zones:
 * how fast a map is answered would tell of it.
 */
export async function tripsChanged(accountKey: string, vehicleKeys: readonly string[]): Promise<void> {
  if (vehicleKeys.length === 0) return;
  await VehicleModel.updateMany({ key: { $in: [...vehicleKeys] } }, { $inc: { trips_revision: 1 } }).setOptions({
    accessScope: accountAccessScope(accountKey),
  });
}
