import { Device, type DeviceStatus, PRESENT_STATUSES } from '../../schema/vehicles/device.ts';

import { COUNTING, storeOf, type StoredIn } from '../store/store-of.ts';
import {
  defaulting,
  type DocumentOf,
  filterOnly,
  nested,
  nullable,
  nullableUnlisted,
  POINT,
  required,
  type StoredField,
} from '../store/stored-fields.ts';

/** Lease on the positions of a device, and the time of the next check. */
const LEASE = nested({
  /** Holder of the lease; null if there is none. If it is still set after `until`, the work was not finished. */
  by: nullable(String),
  /** Time at which the work counts as given up; without a holder, the time at which open trips of a silent device are closed. */
  until: required(Date),
  /** True while trips are being cut again: until the lease is released, a position may be in no trip, or in two. */
  rearranging: defaulting(Boolean, false),
});

const POSITION = nested({
  /** When the vehicle was there. */
  at: required(Date),
  /** Degrees. */
  lat: required(Number),
  lon: required(Number),
  /** Metres per second. */
  speed: nullable(Number),
  /** Degrees clockwise from north. */
  heading: nullable(Number),
});

/** The latest position of a device, in the order of the times that it sent. */
export type DevicePosition = NonNullable<StoredDevice['position']>;

/** The last position that a device sent from outside the privacy zones of its account, for as long as these are the same. */
const SEEN_OUTSIDE = nested({
  /** The zones, as `stateOfZones` names them. */
  zones: required(String),
  /** When the vehicle was there, or when the position arrived if that is earlier. */
  at: required(Date),
  /** The position; null if an older program stored it. */
  position: nullable(POSITION),
});

const READING_BASE = nested({
  /** Meters. */
  value: required(Number),
  /** Milliseconds since 1970 (UTC). */
  begun: required(Number),
  since: required(Number),
  at: required(Number),
  count: required(Number),
});

/** Odometer of a device in its vehicle: readings that are believed, and later ones that contradict them. */
export type StoredOdometer = NonNullable<StoredDevice['odometer']>;

/** Last position and readings of a device in its vehicle. */
export type LastSeen = Pick<StoredDevice, 'position' | 'seen_outside' | 'odometer'>;

/** The former assignment of a device that left its vehicle because one of them was deleted. */
const LEFT = nested({
  /** Null for a device without a vehicle. */
  vehicle_key: nullable(String),
  status: required(String) as StoredField<DeviceStatus>,
  position: nullable(POSITION),
  seen_outside: nullable(SEEN_OUTSIDE),
});

const FORMER_VEHICLE = nested({
  vehicle_key: required(String),
  /** When the device left it. */
  until: required(Date),
});

const TAIL = {
  /** The vehicle for which the device sent. */
  vehicle_key: required(String),
  /** Time of the last position, which is here, in a minute or in a bucket. */
  last: required(Date),
  /** True if an engine start was reported, so that standing does not end the trip. */
  engine_started: required(Boolean),
  /** The coordinates of that position; null in a tail that an earlier version wrote. */
  point: nullable(POINT),
  /** False if the vehicle stands; null in a tail that an earlier version wrote. */
  driving: nullable(Boolean),
  /** An earlier position from which the next ones are judged, see `RecordingEnd`; null if all positions here are needed for that. */
  anchor: nullable(nested({ lat: required(Number), lon: required(Number), at: required(Date) })),
  /** The last known state of the ignition; null if there is none. */
  ignition: nullable(Boolean),
  /** True if all positions of the stay at the end of the recording are here; some may be in minutes too. */
  whole: defaulting(Boolean, false),
  /** True if positions are recorded under the lease nevertheless, since one may end an event. */
  leased: nullable(Boolean),
  /** The positions that are not in minutes yet, as `appendPacked` packs them; null if there are none. */
  packed: nullable(Buffer),
  /** Names the last write: a writer that appends must have read the latest. */
  version: required(String),
};

/**
 * The end of the recording of a device. Positions that only continue a trip or a stay are appended here by one write, which
 * saves a dozen commands under the lease. Nothing is appended while the lease is held, and its holder moves the positions to
 * minutes before anything else.
 */
export type StoredTail = DocumentOf<typeof TAIL>;

/** Devices. One is shown connected or not by the time of its last transmission; neither is stored. */
export const DeviceStore = storeOf(Device, {
  collection: 'devices',
  tenancy: 'groups',
  // A serial does not change, and is unique within its account.
  shardKey: { account_key: 1, serial_folded: 1 },
  computed: ['is_connected', 'disconnected_timestamp'],
  logged: {
    kind: 'device',
    silent: [
      'care',
      'former_vehicles',
      'growth_mark',
      'left',
      'last_transmission',
      'lease_epoch',
      'lease_vehicle',
      'odometer',
      'position',
      'seen_outside',
      'tail',
      'trips_version',
    ],
    isPresent: ({ status }) => PRESENT_STATUSES.some((present) => present === status),
  },
  hidden: {
    account_key: required(String),
    subscription_key: nullable(String),
    /** When it was removed by its account: it can be restored for some days, and is then purged. */
    deleted_at: nullable(Date),
    /** Groups of the device itself. */
    group_keys: defaulting([String], []),
    /** These groups and all above them: those in which a restricted caller's groups are looked up. */
    group_path: defaulting([String], []),
    /** Serial with folded letter case; made with the grams by `serialFields`. */
    serial_folded: required(String),
    /** Sequences of 1 to 3 characters in it, which find a device by any part of its serial. */
    serial_grams: filterOnly([String]),
    /** Lease on the positions that it sent; null if there is nothing to do. */
    care: nullable(LEASE),
    /** Fencing token: counts how often the lease was taken from a holder that did not release it, or for another vehicle. */
    lease_epoch: defaulting(Number, 0),
    /** The vehicle that the lease was last taken for. */
    lease_vehicle: nullable(String),
    /** The latest positions of its open trip, see {@link StoredTail}. */
    tail: nullableUnlisted(nested(TAIL)),
    /** Names the last write of positions outside the privacy zones that only continued its trip or its stay: see `tripsChanged`. */
    trips_version: nullableUnlisted(String),
    /** The latest position that it sent for its vehicle; null until there is one. */
    position: nullable(POSITION),
    /** Its odometer, see `followOdometer`; null until it sends one for its vehicle. */
    odometer: nullable(nested({ base: required(READING_BASE), next: nullable(READING_BASE) })),
    /** The assignment that the device regains if it or its vehicle is restored; null if there is none. */
    left: nullable(LEFT),
    /** Vehicles in which it was before, in order: positions of these times are theirs. */
    former_vehicles: defaulting([FORMER_VEHICLE], []),
    /** Shown to others than the owner instead of the last transmission, if the account has privacy zones. */
    seen_outside: nullable(SEEN_OUTSIDE),
    /** Mark of the last addition of positions to its open trip; absent once the log has an entry of it. */
    growth_mark: nullableUnlisted(String),
  },
  indexes: [
    [{ account_key: 1, _id: 1 }],
    [{ account_key: 1, group_path: 1, _id: 1 }],
    [{ account_key: 1, serial_folded: 1 }, { unique: true }],
    [{ account_key: 1, serial_grams: 1, _id: 1 }],
    [{ account_key: 1, subscription_key: 1, status: 1 }],
    [{ account_key: 1, status: 1, subscription_key: 1 }, COUNTING],
    [{ vehicle_key: 1, account_key: 1 }],
    [{ deleted_at: 1 }, { partialFilterExpression: { deleted_at: { $type: 'date' } } }],
    [{ 'care.until': 1 }, { sparse: true }],
    [{ account_key: 1, growth_mark: 1 }, { partialFilterExpression: { growth_mark: { $type: 'string' } } }],
    [{ lease_vehicle: 1 }, { partialFilterExpression: { 'care.rearranging': true } }],
  ],
});

/** A device as it is read from the database. */
export type StoredDevice = StoredIn<typeof DeviceStore>;
