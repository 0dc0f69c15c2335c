import type { TripPoints } from '../../models/trips/trip-points.ts';

/** A trip to export. */
export interface ExportedTrip {
  readonly key: string;
  readonly vehicle_key: string;
  readonly length: number;
  /** All positions from the first on, piece by piece; it may be asked for more than once. */
  readonly read: () => AsyncIterable<TripPoints>;
}

/** A number with at most so many decimals and no exponent, as every format reads it; empty for NaN. */
export function decimal(value: number | undefined, decimals: number): string {
  if (value === undefined || Number.isNaN(value)) return '';
  return value.toFixed(decimals).replace(/\.?0+$/, '');
}
