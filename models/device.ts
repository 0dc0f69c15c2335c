import { Device } from '../schema/device.ts';

import { modelOf } from './model-of.ts';

/** Fields of a device that never leave. */
interface DeviceHidden {
  readonly account_key: string;
  readonly subscription_key: string | null;
  /** Groups of the device itself. */
  readonly group_keys: readonly string[];
  /** These groups and all above them: what a restricted caller's groups are looked up in. */
  readonly group_path: readonly string[];
  /** Lower-cased serial, for a search that ignores case. */
  readonly serial_folded: string;
}

/** Devices. */
export const DeviceModel = modelOf<Device, DeviceHidden>(Device, {
  collection: 'devices',
  tenancy: 'groups',
  hidden: {
    account_key: { type: String, required: true },
    subscription_key: { type: String, default: null },
    group_keys: { type: [String], default: [] },
    group_path: { type: [String], default: [] },
    serial_folded: { type: String, required: true },
  },
  indexes: [
    [{ account_key: 1, _id: 1 }],
    [{ account_key: 1, group_path: 1, _id: 1 }],
    [{ account_key: 1, serial_folded: 1 }, { unique: true }],
    [{ account_key: 1, subscription_key: 1 }],
    [{ account_key: 1, vehicle_key: 1 }],
  ],
});
