import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import type { StoredTrip } from '../../models/trips/trip.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import { loadTripPoints, unpackTrip } from '../../models/trips/trip-points-bucket.ts';
import { bytesOf } from '../../models/trips/trip-points-bytes.ts';
import type { TripEnd } from '../../schema/trips/trip-end.ts';
import type { Trip } from '../../schema/trips/trip.ts';

import { tripFacts } from '../geometry/trip-facts.ts';
import { loadOpenTripPoints } from '../recording/open-trip-points.ts';
import { type ChargePoints, type SeenPoints, TripGeometry } from './trip-geometry.ts';
import type { TripVisibility } from './trip-visibility.ts';

/** A trip as one caller sees it: nothing in it lies outside the caller's sight. */
export interface TripView extends Omit<Trip, 'encoded_polyline' | 'path' | 'timed_path'> {
  readonly geometry: TripGeometry;
}

/**
 * Views of trips of one vehicle; trips of which nothing is in sight are left out.
 *
 * Trips that reach over an edge of the token's window are cut, and where there are privacy zones all trips: their positions
 * are read at once, in one query for all of them. Those of the others are read when the first is asked for, in one query as
 * well. Before each cut other requests have their turn. A trip that is still open is what its device has sent so far.
 *
 * @param charge is told of positions before they are unpacked or simplified, and throws where they are too many
 *
 * Decisions: "A token limits data, not only trips".
 */
export async function viewTrips(
  accessScope: TripVisibility,
  trips: readonly StoredTrip[],
  charge: ChargePoints,
): Promise<TripView[]> {
  const open = await loadOpenTripPoints(accessScope.records, trips);
  const whole = new Set(trips.filter((trip) => !open.has(trip.key) && accessScope.seesWhole(trip)));
  const loadWhole = once(() => loadTripPoints(accessScope.records, [...whole]));
  const loaded = await loadTripPoints(
    accessScope.records,
    trips.filter((trip) => !open.has(trip.key) && !whole.has(trip)),
  );

  const views: TripView[] = [];
  for (const trip of trips) {
    if (whole.has(trip)) {
      // Cut all the same: a trip that is changed meanwhile is no longer the one that was looked at.
      const load = async () => {
        await charge(trip.point_count);
        return accessScope.cut(unpackTrip((await loadWhole()).get(trip.key) ?? []));
      };
      views.push({ ...trip, geometry: new TripGeometry(load, bytesOf(trip.outline), charge) });
      continue;
    }
    await yieldToEventLoop();
    const packed = loaded.get(trip.key) ?? [];
    const recorded = open.get(trip.key);
    const count = recorded?.time.length ?? trip.point_count;
    await charge(count);
    const geometryOf = (cut: () => SeenPoints) => {
      const charged = async () => {
        await charge(count);
        return cut();
      };
      return new TripGeometry(charged, null, charge);
    };
    const cut = cutTrip(trip, () => recorded ?? unpackTrip(packed), accessScope, geometryOf);
    if (cut) views.push(cut);
  }
  return views;
}

/** A trip reduced to its positions in sight, or null where there are none. They stay packed until they are asked for. */
function cutTrip(
  trip: StoredTrip,
  load: () => TripPoints,
  accessScope: TripVisibility,
  geometryOf: (cut: () => SeenPoints) => TripGeometry,
): TripView | null {
  const cut = () => accessScope.cut(load());
  const { points } = cut();
  if (points.length === 0) return null;
  const facts = tripFacts(points);
  return {
    ...trip,
    ...facts,
    start_point: endSeen(trip.start_point, facts.start_point, accessScope),
    end_point: endSeen(trip.end_point, facts.end_point, accessScope),
    geometry: geometryOf(cut),
  };
}

/**
 * An end of what is left of a trip. What is stored of the end of the whole (address, place, odometer) stays with the very
 * position it was stored for; not where there are zones, since it would tell that the trip began or ended there, and others
 * did so inside one.
 */
function endSeen(stored: TripEnd, seen: TripEnd, { hasZones }: TripVisibility): TripEnd {
  const isSame =
    stored.timestamp.getTime() === seen.timestamp.getTime() &&
    stored.point.lat === seen.point.lat &&
    stored.point.lon === seen.point.lon;
  return isSame && !hasZones ? stored : seen;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
