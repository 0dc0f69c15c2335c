import type { StoredTrip } from '../../models/trips/trip.ts';
import { joinTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import { loadTripPoints, type PackedTripPoints } from '../../models/trips/trip-points-bucket.ts';
import { bytesOf } from '../../models/trips/trip-points-bytes.ts';
import { unpackTripPoints } from '../../models/trips/trip-points-codec.ts';
import type { TripEnd } from '../../schema/trips/trip-end.ts';
import type { Trip } from '../../schema/trips/trip.ts';

import { type TripFacts, tripFacts } from '../geometry/trip-facts.ts';
import { loadOpenTripPoints } from '../recording/open-trip-points.ts';
import { forEachInSlices, nextTurn, TimeSlice } from '../scheduling/time-slice.ts';
import { type ChargePoints, TripGeometry } from './trip-geometry.ts';
import type { TripVisibility } from './trip-visibility.ts';

/** A trip as one caller sees it: nothing in it lies outside the caller's visibility. */
export interface TripView extends Omit<Trip, 'encoded_polyline' | 'path' | 'timed_path'> {
  readonly geometry: TripGeometry;
}

/**
 * Makes the views of trips of one vehicle; trips of which nothing is visible are left out. Trips across an edge of the
 * token's window are clipped, and all trips if there are privacy zones: their positions are read first, in one query.
 * Those of the others are read when the first is needed, in one query as well. Other requests run before each trip is
 * clipped. An open trip consists of what its device has sent so far.
 *
 * @param charge called with a number of positions before they are unpacked or simplified; throws if they are too many.
 * Decisions: "A token limits data, not only trips".
 */
export async function viewTrips(
  visibility: TripVisibility,
  trips: readonly StoredTrip[],
  charge: ChargePoints,
): Promise<TripView[]> {
  const open = await loadOpenTripPoints(visibility.records, trips);
  const packed = trips.filter(({ key }) => !open.has(key));
  const whole = new Set(packed.filter((trip) => visibility.seesWhole(trip)));
  const clipped = await loadTripPoints(
    visibility.records,
    packed.filter((trip) => !whole.has(trip)),
  );
  const slice = new TimeSlice();
  let ofWhole: Promise<typeof clipped> | undefined;

  const views: TripView[] = [];
  for (const trip of trips) {
    const { key, outline } = trip;
    const isWhole = whole.has(trip);
    const recorded = open.get(key);
    // A whole trip is clipped too: it may have changed since it was checked.
    const load = async () => {
      await charge(recorded?.length ?? trip.point_count);
      if (isWhole) ofWhole ??= loadTripPoints(visibility.records, [...whole]);
      const buckets = isWhole ? await ofWhole : clipped;
      return visibility.clip(recorded ?? (await unpackInSlices(buckets?.get(key) ?? [], slice)));
    };
    const view = { ...trip, geometry: new TripGeometry(load, isWhole ? bytesOf(outline) : null, charge) };
    if (!isWhole) await nextTurn();
    const { points } = isWhole ? { points: null } : await load();
    if (points === null) views.push(view);
    else if (points.length > 0) views.push({ ...view, ...visibleFacts(trip, points, visibility) });
  }
  return views;
}

/** Unpacks the positions of one trip: other requests go on between two buckets of a long one. */
async function unpackInSlices(packed: PackedTripPoints, slice: TimeSlice): Promise<TripPoints> {
  const buckets: TripPoints[] = [];
  await forEachInSlices(slice, packed, (bucket) => buckets.push(unpackTripPoints(bucket)));
  return joinTripPoints(buckets);
}

function visibleFacts(trip: StoredTrip, points: TripPoints, visibility: TripVisibility): TripFacts {
  const facts = tripFacts(points);
  return {
    ...facts,
    start_point: visibleEnd(trip.start_point, facts.start_point, visibility),
    end_point: visibleEnd(trip.end_point, facts.end_point, visibility),
  };
}

/**
 * Returns an end of the visible part of a trip. The stored details of the whole trip's end (address, place, odometer)
 * belong to that position, and are left out if there are zones, since they would reveal that the trip ended there and
 * not inside a zone.
 */
function visibleEnd(stored: TripEnd, visible: TripEnd, { hasZones }: TripVisibility): TripEnd {
  const isSame =
    stored.timestamp.getTime() === visible.timestamp.getTime() &&
    stored.point.lat === visible.point.lat &&
    stored.point.lon === visible.point.lon;
  return isSame && !hasZones ? stored : visible;
}
