import mongoose from 'mongoose';

import { Trip } from '../../schema/trips/trip.ts';

import { modelOf, type Stored } from '../model-of.ts';

/** State of a trip that a device recorded, beside its facts. */
export interface TripRecording {
  /**
   * True while positions of it may be in the device's minutes. Its facts are then worked out when it is read, and what
   * is stored of its end is {@link OPEN_END}.
   */
  readonly open: boolean;
  /** True if it begins with an engine start, so that no pause ends it. */
  readonly engine_started: boolean;
  /** True if it ends with an engine stop. */
  readonly engine_stopped: boolean;
  /** Time of the last position in its buckets; null while it has none. */
  readonly packed_until: Date | null;
}

/** Placeholder for the end of an open trip, so that every query of a time span finds it: the last instant there is. */
export const OPEN_END = new Date('9999-12-31T23:59:59Z');

/** Fields of a trip that never leave. */
interface TripHidden {
  /** True until the whole file of which the trip came has been read; a staged trip is seen by nobody. */
  readonly staged: boolean;
  /** The runs of imports that will show it, while it is staged; one that fails takes its name off. */
  readonly staged_by: readonly string[];
  /** When it was last staged; null once it is visible. */
  readonly staged_at: Date | null;
  /** The run of an import that made the trip visible. */
  readonly imported_by: string | null;
  /** Hash of the positions and their times: the same trip is stored once a vehicle. */
  readonly fingerprint: string;
  /** The simplified path, packed by `packOutline`. */
  readonly outline: Buffer;
  /** Null for a trip that no device recorded. */
  readonly recording: TripRecording | null;
  /** The pack of buckets that holds its positions; null for the one that an import or a first packing wrote. */
  readonly pack: number | null;
  /** The epoch of the device's lease under which it was last read or changed; 0 for a trip that no device recorded. */
  readonly epoch: number;
}

type Computed = 'encoded_polyline' | 'path' | 'timed_path';

/** A trip as it is read from the database; its positions are in buckets of their own. */
export type StoredTrip = Stored<Trip, TripHidden, Computed>;

/** Trips, listed by start and then key. */
export const TripModel = modelOf<Trip, TripHidden, Computed>(Trip, {
  collection: 'trips',
  tenancy: 'vehicle',
  computed: ['encoded_polyline', 'path', 'timed_path'],
  hidden: {
    staged: { type: Boolean, required: true },
    staged_by: { type: [String], default: [] },
    staged_at: { type: Date, default: null },
    imported_by: { type: String, default: null },
    fingerprint: { type: String, required: true },
    outline: { type: Buffer, required: true },
    recording: {
      type: new mongoose.Schema<TripRecording>(
        {
          open: { type: Boolean, required: true },
          engine_started: { type: Boolean, required: true },
          engine_stopped: { type: Boolean, required: true },
          packed_until: { type: Date, default: null },
        },
        { _id: false },
      ),
      default: null,
    },
    pack: { type: Number, default: null },
    epoch: { type: Number, default: 0 },
  },
  indexes: [
    // The end stands in both so that trips across an instant are told by the index alone.
    [{ vehicle_key: 1, staged: 1, 'start_point.timestamp': 1, key: 1, 'end_point.timestamp': 1 }],
    [{ vehicle_key: 1, staged: 1, duration_seconds: 1, 'start_point.timestamp': 1, 'end_point.timestamp': 1 }],
    [{ vehicle_key: 1, fingerprint: 1 }, { unique: true }],
    [{ staged_by: 1 }, { partialFilterExpression: { staged: true } }],
    [{ account_key: 1, staged_at: 1 }, { partialFilterExpression: { staged: true } }],
    [{ vehicle_key: 1, device_key: 1, 'start_point.timestamp': 1 }],
    [{ device_key: 1 }, { partialFilterExpression: { 'recording.open': true } }],
  ],
});
