import type { StoredTrip } from '../../models/trips/trip.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import type { TripEnd } from '../../schema/trips/trip-end.ts';
import type { Trip } from '../../schema/trips/trip.ts';

import { type TripFacts, tripFacts } from '../geometry/trip-facts.ts';
import { finishInSlices } from '../scheduling/steps.ts';
import { nextTurn } from '../scheduling/time-slice.ts';
import { readTrips } from './read-trips.ts';
import { type GeometryWork, TripGeometry } from './trip-geometry.ts';
import type { TripVisibility } from '../visibility/trip-visibility.ts';

/** Fields of a trip that are computed on request. */
type ComputedField = 'encoded_polyline' | 'path' | 'timed_path' | 'tags' | 'user' | 'vehicle';

/** A trip as one caller sees it: without anything outside the caller's visibility. */
export interface TripView extends Omit<Trip, ComputedField>, Pick<StoredTrip, 'tag_keys'> {
  readonly geometry: TripGeometry;
}

/**
 * Makes the views of trips of one vehicle in four steps: stored data is read and clipped to the visible part, the facts of a
 * clipped trip are derived from the rest, and lines are encoded from it when a field needs them. Trips across an edge of the
 * token's window are clipped first, and all trips if there are privacy zones; those of which nothing is visible are omitted.
 * Other requests run before each trip is clipped.
 */
export async function viewTrips(
  visibility: TripVisibility,
  trips: readonly StoredTrip[],
  work: GeometryWork,
): Promise<TripView[]> {
  const views: TripView[] = [];
  for (const { trip, points, lines } of await readTrips(visibility, trips, work)) {
    // A whole trip is clipped too, when its positions are needed: it may have changed since it was checked.
    const clip = async () => finishInSlices(work.slice, visibility.clip(await points()));
    const encode = () => new TripGeometry(clip, lines, work);
    if (lines !== null) {
      views.push(Object.assign(trip, { geometry: encode() }));
      continue;
    }
    await nextTurn();
    const { points: visible } = await clip();
    if (visible.length > 0) views.push({ ...trip, ...derive(trip, visible, visibility), geometry: encode() });
  }
  return views;
}

/** Derives the facts of a clipped trip from its visible positions. */
function derive(trip: StoredTrip, points: TripPoints, visibility: TripVisibility): TripFacts {
  const facts = tripFacts(points);
  return {
    ...facts,
    start_point: visibleEnd(trip.start_point, facts.start_point, visibility),
    end_point: visibleEnd(trip.end_point, facts.end_point, visibility),
  };
}

/**
 * Returns an end of the visible part of a trip. The stored details of the whole trip's end (address, place, odometer)
 * belong to that position, and are omitted if there are zones, since they would reveal that the trip ended there and
 * not inside a zone.
 */
function visibleEnd(stored: TripEnd, visible: TripEnd, { hasZones }: TripVisibility): TripEnd {
  const isSame =
    stored.timestamp.getTime() === visible.timestamp.getTime() &&
    stored.point?.lat === visible.point?.lat &&
    stored.point?.lon === visible.point?.lon;
  if (!isSame || hasZones) return visible;
  // Those of an open trip were stored when it began: readings since then may tell more.
  return {
    ...stored,
    odometer: visible.odometer ?? stored.odometer,
    fuel_level: visible.fuel_level ?? stored.fuel_level,
  };
}
