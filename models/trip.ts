import { Trip } from '../schema/trip.ts';

import { modelOf, type Stored } from './model-of.ts';

/** Fields of a trip that never leave. */
interface TripHidden {
  /** True until the whole file of which the trip came has been read; a staged trip is seen by nobody. */
  readonly staged: boolean;
  /** The runs of imports that will show it, while it is staged; one that fails takes its name off. */
  readonly staged_by: readonly string[];
  /** The run of an import that made the trip visible. */
  readonly imported_by: string | null;
  /** Hash of the positions and their times: the same trip is stored once a vehicle. */
  readonly fingerprint: string;
  /** The simplified path, packed by `packOutline`. */
  readonly outline: Buffer;
}

type Computed = 'encoded_polyline' | 'path';

/** A trip as it is read from the database; its positions are in buckets of their own. */
export type StoredTrip = Stored<Trip, TripHidden, Computed>;

/** Trips, listed by start and then key. */
export const TripModel = modelOf<Trip, TripHidden, Computed>(Trip, {
  collection: 'trips',
  tenancy: 'vehicle',
  computed: ['encoded_polyline', 'path'],
  hidden: {
    staged: { type: Boolean, required: true },
    staged_by: { type: [String], default: [] },
    imported_by: { type: String, default: null },
    fingerprint: { type: String, required: true },
    outline: { type: Buffer, required: true },
  },
  indexes: [
    [{ vehicle_key: 1, staged: 1, 'start_point.timestamp': 1, key: 1 }],
    [{ vehicle_key: 1, duration_seconds: 1 }],
    [{ vehicle_key: 1, fingerprint: 1 }, { unique: true }],
  ],
});
