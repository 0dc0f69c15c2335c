import { setImmediate as othersTurn } from 'node:timers/promises';

import type { Sight } from '../models/tenancy.ts';
import type { StoredTrip } from '../models/trip.ts';
import type { TripPoints } from '../models/trip-points.ts';
import { pickTripPoints } from '../models/trip-points.ts';
import { loadTripPoints, unpackTrip } from '../models/trip-points-bucket.ts';
import { bytesOf } from '../models/trip-points-bytes.ts';
import type { TripScope } from '../auth/trip-scope.ts';
import type { Trip } from '../schema/trip.ts';

import { tripFacts } from './geometry/trip-facts.ts';
import { TripGeometry } from './trip-geometry.ts';

/** A trip as one caller sees it: nothing in it lies outside the caller's window. */
export interface TripView extends Omit<Trip, 'encoded_polyline' | 'path'> {
  readonly geometry: TripGeometry;
}

/**
 * Views of trips of one vehicle through the window of a token; trips without a position inside are left out.
 *
 * Trips that straddle an edge of the window are cut: their positions are read at once, in one query for all of them.
 * Those of the others are read when the first is asked for, in one query as well. Before each cut other requests have
 * their turn.
 *
 * Decisions: "A token limits data, not only trips".
 */
export async function viewTrips(sight: Sight, scope: TripScope, trips: readonly StoredTrip[]): Promise<TripView[]> {
  const { gte = -Infinity, lt = Infinity } = scope;
  const isWhole = ({ start_point, end_point }: StoredTrip) =>
    start_point.timestamp.getTime() >= gte && end_point.timestamp.getTime() < lt;
  const whole = trips.filter(isWhole);
  const straddling = trips.filter((trip) => !isWhole(trip));

  const loadWhole = once(() => loadTripPoints(sight, keysOf(whole)));
  const loadedStraddling = await loadTripPoints(sight, keysOf(straddling));

  const views: TripView[] = [];
  for (const trip of trips) {
    if (isWhole(trip)) {
      const load = async () => unpackTrip((await loadWhole()).get(trip.key) ?? []);
      views.push({ ...trip, geometry: TripGeometry.ofStored(load, bytesOf(trip.outline)) });
      continue;
    }
    await othersTurn();
    const cut = cutTrip(trip, unpackTrip(loadedStraddling.get(trip.key) ?? []), gte, lt);
    if (cut) views.push(cut);
  }
  return views;
}

/** A trip reduced to its positions in `[gte, lt)`, or null where there are none. */
function cutTrip(trip: StoredTrip, all: TripPoints, gte: number, lt: number): TripView | null {
  const inside: number[] = [];
  for (const [at, instant] of all.time.entries()) if (instant >= gte && instant < lt) inside.push(at);
  if (inside.length === 0) return null;
  const points = pickTripPoints(all, inside);
  const facts = tripFacts(points);
  return {
    ...trip,
    ...facts,
    start_point: trip.start_point.timestamp.getTime() >= gte ? trip.start_point : facts.start_point,
    end_point: trip.end_point.timestamp.getTime() < lt ? trip.end_point : facts.end_point,
    geometry: TripGeometry.ofPoints(points),
  };
}

function keysOf(trips: readonly StoredTrip[]): string[] {
  return trips.map(({ key }) => key);
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
