import { Vehicle } from '../../schema/vehicles/vehicle.ts';

import { modelOf, type StoredIn } from '../model-of.ts';
import { defaulting, required } from '../stored-fields.ts';
import { accountAccessScope } from '../tenancy.ts';

/** Vehicles; `device_keys` is read from the devices. */
export const VehicleModel = modelOf(Vehicle, {
  collection: 'vehicles',
  tenancy: 'groups',
  computed: ['device_keys'],
  hidden: {
    account_key: required(String),
    /** The vehicle's groups and all above them. */
    group_path: defaulting([String], []),
    /** Counts the changes of what trip maps see of its trips: see {@link tripsChanged}. */
    trips_revision: defaulting(Number, 0),
  },
  indexes: [
    [{ account_key: 1, _id: 1 }],
    [{ account_key: 1, group_path: 1, _id: 1 }],
    [{ account_key: 1, nickname: 1 }],
  ],
});

/** A vehicle as it is read from the database. */
export type StoredVehicle = StoredIn<typeof VehicleModel>;

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
