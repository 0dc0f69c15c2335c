import { Trip } from '../../schema/trips/trip.ts';

import { LIMITS } from './trip-limits.ts';
import { storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, type DocumentOf, nested, nullable, required } from '../store/stored-fields.ts';

/** Placeholder for the end of an open trip, so that every query of a time span finds it: the last representable instant. */
export const OPEN_END = new Date('9999-12-31T23:59:59Z');

/** Converts an instant that may be infinite to a date. */
export function dateAt(instant: number): Date {
  return new Date(Math.max(0, Math.min(instant, OPEN_END.getTime())));
}

/** Filter of the trips that take longer than a day, in `duration_seconds`: few, except open ones. */
export const LONGER_THAN_A_DAY = { $gt: 86_400 } as const;

/**
 * Filter that every trip passes. Queries across vehicles name it, and so may use the index of all trips of an account; others
 * may not: the embedded database keeps no statistics, and might prefer it to the index of a vehicle.
 */
export const OF_ALL_VEHICLES = { key: { $gt: '' } } as const;

/** Filter of the trips whose positions exist: those of others have expired. */
export const WITH_POSITIONS = { point_count: { $gt: 0 } } as const;

/** Filter of ended trips. */
export const ENDED = { 'end_point.timestamp': { $lt: OPEN_END } } as const;

const RECORDING = {
  /** True while positions may be in the device's minutes: facts are derived on reading, its end is {@link OPEN_END}. */
  open: required(Boolean),
  /** True if it begins with an engine start, so that no pause ends it. */
  engine_started: required(Boolean),
  /** True if it ends with an engine stop. */
  engine_stopped: required(Boolean),
  /** Time of the last position in its buckets; null while it has none. */
  packed_until: nullable(Date),
  /** Limits by which it begins and ends; null for {@link TRIP_LIMITS}. */
  limits: nullable(nested(LIMITS)),
};

const PATH = {
  points: required(String),
  point_count: required(Number),
  bbox: required([Number]),
  /** Numbers of the positions that follow a gap; absent in paths that older programs stored. */
  gaps: defaulting([Number], []),
};

/** A path as it is sent; that of a whole trip has no breaks. */
export type StoredPath = DocumentOf<typeof PATH>;

const PATHS = {
  /** The trip's `pack` when they were made: they are not used with another one. */
  pack: nullable(Number),
  /** Number of positions of the outline from which they were made, for which a request is charged. */
  outline_length: required(Number),
  /** Null if the outline is coarser. */
  meter_1: nullable(nested(PATH)),
  meters_5: nullable(nested(PATH)),
};

/** Paths of a whole trip, by their tolerances. */
export type StoredPaths = DocumentOf<typeof PATHS>;

/** State of a trip that a device recorded, in addition to its facts. */
export type TripRecording = DocumentOf<typeof RECORDING>;

/** Trips, listed by start and then key. */
export const TripStore = storeOf(Trip, {
  collection: 'trips',
  tenancy: 'trip',
  shardKey: { vehicle_key: 1 },
  computed: ['encoded_polyline', 'path', 'timed_path', 'tags', 'user', 'vehicle'],
  logged: {
    kind: 'trip',
    userField: 'user_key',
    shown: { staged: false },
    silent: [
      'epoch',
      'expiring',
      'fingerprint',
      'imported_by',
      'outline',
      'pack',
      'paths',
      'recording',
      'staged_at',
      'staged_by',
      // An address that is found later is no change of what the trip tells.
      'start_point.address',
      'end_point.address',
      'streets_due',
    ],
  },
  hidden: {
    /** Keys of its tags. */
    tag_keys: defaulting([String], []),
    /** True until the whole file of which the trip came has been read; a staged trip is visible to no one. */
    staged: required(Boolean),
    /** The import runs that will show it, while it is staged; a failed one removes its name. */
    staged_by: defaulting([String], []),
    /** When it was last staged; null once it is visible. */
    staged_at: nullable(Date),
    /** The run of an import that made the trip visible. */
    imported_by: nullable(String),
    /** Hash of the positions and their times: the same trip is stored once per vehicle. */
    fingerprint: required(String),
    /** The simplified path, packed by `packOutline`. */
    outline: required(Buffer),
    /**
     * The paths that trip maps ask for, encoded, so that lists of trips need not simplify and encode each.
     * Null for an open trip, and until an older program's trip is migrated: the outline is used then.
     */
    paths: nullable(nested(PATHS)),
    /** Null for a trip that no device recorded. */
    recording: nullable(nested(RECORDING)),
    /** The pack of buckets that holds its positions; null for the one that an import or a first packing wrote. */
    pack: nullable(Number),
    /** The epoch of the device's lease under which it was last read or changed; 0 for a trip that no device recorded. */
    epoch: defaulting(Number, 0),
    /** Since when the streets of its ends are to be asked of the geocoder; null once they have been. */
    streets_due: nullable(Date),
    /** True while its expired positions are being deleted. */
    expiring: nullable(Boolean),
  },
  indexes: [
    // They contain the end so that the index alone finds trips across an instant.
    [{ vehicle_key: 1, staged: 1, 'start_point.timestamp': 1, key: 1, 'end_point.timestamp': 1 }],
    // The same for lists across vehicles: of an account, of a driver, of a tag.
    [
      { account_key: 1, 'start_point.timestamp': 1, key: 1, 'end_point.timestamp': 1 },
      { partialFilterExpression: OF_ALL_VEHICLES },
    ],
    // By their ends, for queries of ended trips.
    [
      { account_key: 1, 'end_point.timestamp': -1, key: 1 },
      { partialFilterExpression: { ...OF_ALL_VEHICLES, ...ENDED } },
    ],
    [{ vehicle_key: 1, 'end_point.timestamp': -1, key: 1 }, { partialFilterExpression: ENDED }],
    [
      { account_key: 1, user_key: 1, 'start_point.timestamp': 1, key: 1, 'end_point.timestamp': 1 },
      { partialFilterExpression: { user_key: { $type: 'string' } } },
    ],
    [{ account_key: 1, tag_keys: 1, staged: 1, 'start_point.timestamp': 1, key: 1 }],
    // Long trips, which are few, so that only the latest of the others are read.
    [
      { account_key: 1, vehicle_key: 1, 'start_point.timestamp': 1, 'end_point.timestamp': 1 },
      { partialFilterExpression: { duration_seconds: LONGER_THAN_A_DAY } },
    ],
    [
      { account_key: 1, 'start_point.timestamp': 1, 'end_point.timestamp': 1 },
      { partialFilterExpression: { duration_seconds: LONGER_THAN_A_DAY } },
    ],
    [{ vehicle_key: 1, fingerprint: 1 }, { unique: true }],
    [{ staged_by: 1 }, { partialFilterExpression: { staged: true } }],
    [{ account_key: 1, staged_at: 1 }, { partialFilterExpression: { staged: true } }],
    [{ vehicle_key: 1, device_key: 1, 'start_point.timestamp': 1 }],
    [{ device_key: 1 }, { partialFilterExpression: { 'recording.open': true } }],
    // By age, for their accounts' retention.
    [{ account_key: 1, 'end_point.timestamp': 1 }, { partialFilterExpression: WITH_POSITIONS }],
    // The latest first.
    [{ streets_due: -1 }, { partialFilterExpression: { streets_due: { $type: 'date' } } }],
    [{ expiring: 1 }, { partialFilterExpression: { expiring: true } }],
  ],
});

/** A trip as it is read from the database; its positions are in buckets of their own. */
export type StoredTrip = StoredIn<typeof TripStore>;
