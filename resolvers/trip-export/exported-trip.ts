import type { TripPoints } from '../../models/trips/trip-points.ts';

/** A trip to export. */
export interface ExportedTrip {
  readonly key: string;
  readonly vehicle_key: string;
  /** Number of positions. */
  readonly length: number;
  /** All positions from the first on, piece by piece; it may be asked for more than once. */
  readonly read: () => AsyncIterable<TripPoints>;
}
