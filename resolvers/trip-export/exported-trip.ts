import type { TripPoints } from '../../models/trips/trip-points.ts';

import { TimeSlice } from '../../tracking/scheduling/time-slice.ts';

/** A trip to export. */
export interface ExportedTrip {
  readonly key: string;
  readonly vehicle_key: string;
  readonly length: number;
  /** All positions from the first on, piece by piece; it may be asked for more than once. */
  readonly read: () => AsyncIterable<TripPoints>;
}

/** Writes all positions of a trip, one after the other, in slices of time between which other requests go on. */
export async function* textOfPositions(
  { read }: ExportedTrip,
  write: (points: TripPoints, at: number) => string,
): AsyncGenerator<string> {
  const slice = new TimeSlice();
  for await (const points of read()) {
    let text = '';
    for (let at = 0; at < points.length; at++) {
      if (slice.isOver()) {
        yield text;
        text = '';
        await slice.next();
      }
      text += write(points, at);
    }
    yield text;
  }
}

/** A number with at most so many decimals and no exponent, as every format reads it; empty for NaN. */
export function decimal(value: number | undefined, decimals: number): string {
  if (value === undefined || Number.isNaN(value)) return '';
  return value.toFixed(decimals).replace(/\.?0+$/, '');
}
