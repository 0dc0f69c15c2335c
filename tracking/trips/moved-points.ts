import { pickTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';

import type { RecordedPiece } from './cut-recording.ts';
import type { KnownTrip } from './recorded-trips.ts';

/** A piece of a recording, and the trip that it stays in; null where it becomes a trip of its own. */
export interface PlacedPiece {
  readonly piece: RecordedPiece;
  readonly trip: KnownTrip | null;
}

/**
 * The positions of a recording, in the order of their times, that are in another trip than before or no longer in one.
 * The trips before are in order: an open one goes until the next.
 */
export function movedPoints(all: TripPoints, trips: readonly KnownTrip[], pieces: readonly PlacedPiece[]): TripPoints {
  const after = new Map(
    pieces.flatMap(({ piece, trip }) => [...piece.points.time].map((time) => [time, trip?.key ?? NEW] as const)),
  );
  const before = (time: number) => {
    const trip = trips.findLast(({ start }) => start <= time);
    const isOver = trip && !trip.recording.open && (trip.recording.packed_until?.getTime() ?? -Infinity) < time;
    return isOver ? undefined : trip?.key;
  };
  const places = Array.from({ length: all.length }, (_, at) => at);
  return pickTripPoints(
    all,
    places.filter((at) => before(all.time[at] ?? Number.NaN) !== after.get(all.time[at] ?? Number.NaN)),
  );
}

const NEW = 'new';
