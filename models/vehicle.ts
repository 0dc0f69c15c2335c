import { Vehicle } from '../schema/vehicle.ts';

import { modelOf } from './model-of.ts';

/** Fields of a vehicle that never leave. */
interface VehicleHidden {
  readonly account_key: string;
  /** The vehicle's groups and all above them. */
  readonly group_path: readonly string[];
}

/** Vehicles; `device_keys` is read from the devices. */
export const VehicleModel = modelOf<Vehicle, VehicleHidden, 'device_keys'>(Vehicle, {
  collection: 'vehicles',
  tenancy: 'groups',
  computed: ['device_keys'],
  hidden: {
    account_key: { type: String, required: true },
    group_path: { type: [String], default: [] },
  },
  indexes: [
    [{ account_key: 1, _id: 1 }],
    [{ account_key: 1, group_path: 1, _id: 1 }],
    [{ account_key: 1, nickname: 1 }],
  ],
});
