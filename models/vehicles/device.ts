import mongoose from 'mongoose';

import { Device } from '../../schema/vehicles/device.ts';

import { modelOf, type Stored } from '../model-of.ts';

/** Lease on the positions of a device, and the time at which they are due again. */
export interface StoredLease {
  /** Holder of the lease; null where there is none. Where it is still set after `until`, the work was not finished. */
  readonly by: string | null;
  /** When the work counts as given up; where nobody works, when open trips of a device that fell silent are closed. */
  readonly until: Date;
  /** True while trips are being cut again: until the lease is released, a position may be in no trip, or in two. */
  readonly rearranging?: boolean;
}

/** The last position that a device sent from outside the privacy zones of its account, for as long as these are the same. */
export interface SeenOutside {
  /** The zones, as `stateOfZones` names them. */
  readonly zones: string;
  /** When the vehicle was there, or the position came where that is earlier. */
  readonly at: Date;
}

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
  /** Care for the positions that it sent; null where there is nothing to do. */
  readonly care: StoredLease | null;
  /** Fencing token: how often the lease was taken from a holder that did not give it back, or for another vehicle. */
  readonly lease_epoch: number;
  /** The vehicle that the lease was last taken for. */
  readonly lease_vehicle: string | null;
  /** Shown to others than the owner instead of the last transmission, where the account has privacy zones. */
  readonly seen_outside: SeenOutside | null;
}

/** A device is shown connected or not by the time of its last transmission; neither is stored. */
type Computed = 'is_connected' | 'disconnected_timestamp';

/** A device as it is read from the database. */
export type StoredDevice = Stored<Device, DeviceHidden, Computed>;

/** Devices. */
export const DeviceModel = modelOf<Device, DeviceHidden, Computed>(Device, {
  collection: 'devices',
  tenancy: 'groups',
  computed: ['is_connected', 'disconnected_timestamp'],
  hidden: {
    account_key: { type: String, required: true },
    subscription_key: { type: String, default: null },
    group_keys: { type: [String], default: [] },
    group_path: { type: [String], default: [] },
    serial_folded: { type: String, required: true },
    care: {
      type: new mongoose.Schema<StoredLease>(
        {
          by: { type: String, default: null },
          until: { type: Date, required: true },
          rearranging: { type: Boolean, default: false },
        },
        { _id: false },
      ),
      default: null,
    },
    lease_epoch: { type: Number, default: 0 },
    lease_vehicle: { type: String, default: null },
    seen_outside: {
      type: new mongoose.Schema<SeenOutside>(
        { zones: { type: String, required: true }, at: { type: Date, required: true } },
        { _id: false },
      ),
      default: null,
    },
  },
  indexes: [
    [{ account_key: 1, _id: 1 }],
    [{ account_key: 1, group_path: 1, _id: 1 }],
    [{ account_key: 1, serial_folded: 1 }, { unique: true }],
    [{ account_key: 1, subscription_key: 1 }],
    [{ account_key: 1, vehicle_key: 1 }],
    [{ 'care.until': 1 }, { sparse: true }],
    [{ lease_vehicle: 1 }, { partialFilterExpression: { 'care.rearranging': true } }],
  ],
});
