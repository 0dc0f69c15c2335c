import type { StoredTrip } from '../../models/trips/trip.ts';
import { joinTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import { loadTripPoints, type PackedTripPoints } from '../../models/trips/trip-points-bucket.ts';
import { unpackTripPoints } from '../../models/trips/trip-points-codec.ts';
import type { TripEnd } from '../../schema/trips/trip-end.ts';
import type { Trip } from '../../schema/trips/trip.ts';

import { type TripFacts, tripFacts } from '../../tracking/geometry/trip-facts.ts';
import { loadOpenTripPoints } from '../../tracking/trips/open-trip-points.ts';
import { finishInSlices } from '../../tracking/scheduling/steps.ts';
import { forEachInSlices, nextTurn, type TimeSlice } from '../../tracking/scheduling/time-slice.ts';
import { type GeometrySources, type GeometryWork, TripGeometry } from './trip-geometry.ts';
import type { TripVisibility } from './trip-visibility.ts';
import { WholeTrips } from './whole-trips.ts';

/** Fields of a trip that are worked out when they are asked for. */
type ComputedField = 'encoded_polyline' | 'path' | 'timed_path' | 'tags' | 'user' | 'vehicle';

/** A trip as one caller sees it: nothing in it lies outside the caller's visibility. */
export interface TripView extends Omit<Trip, ComputedField>, Pick<StoredTrip, 'tag_keys'> {
  readonly geometry: TripGeometry;
}

/**
 * Makes the views of trips of one vehicle; trips of which nothing is visible are left out. Trips across an edge of the
 * token's window are clipped, and all trips if there are privacy zones: their positions are read first, in one query.
 * Those of the others are read when the first is needed, in one query as well. Other requests run before each trip is
 * clipped. An open trip consists of what its device has sent so far.
 */
export async function viewTrips(
  visibility: TripVisibility,
  trips: readonly StoredTrip[],
  work: GeometryWork,
): Promise<TripView[]> {
  const open = await loadOpenTripPoints(visibility.records, trips);
  const isWhole = (trip: StoredTrip) => !open.has(trip.key) && visibility.seesWhole(trip);
  const clipped = trips.filter((trip) => !open.has(trip.key) && !visibility.seesWhole(trip));
  const packed = await loadTripPoints(visibility.records, clipped);
  const whole = new WholeTrips(visibility.records, trips.filter(isWhole));

  const views: TripView[] = [];
  for (const trip of trips) {
    const { key } = trip;
    if (isWhole(trip)) {
      views.push(wholeView(trip, visibility, whole, work));
      continue;
    }
    const recorded = open.get(key);
    const read = async () => {
      await work.meter.charge(recorded?.length ?? trip.point_count);
      const points = recorded ?? (await unpackInSlices(packed.get(key) ?? [], work.slice));
      return finishInSlices(work.slice, visibility.clip(points));
    };
    await nextTurn();
    const { points } = await read();
    if (points.length === 0) continue;
    const nothing = async () => null;
    const sources = { points: read, paths: null, outline: nothing, line: nothing, hasGaps: false };
    const geometry = new TripGeometry(sources, work);
    views.push({ ...trip, ...visibleFacts(trip, points, visibility), geometry });
  }
  return views;
}

/** The view of a trip of which everything is seen: the document itself. Positions and outline are read if they are needed. */
function wholeView(trip: StoredTrip, visibility: TripVisibility, whole: WholeTrips, work: GeometryWork): TripView {
  const { key, paths, pack, point_count, bounding_box, gaps } = trip;
  let charged: Promise<void> | undefined;
  const charge = () => {
    charged ??= work.meter.charge(point_count);
    return charged;
  };
  const sources: GeometrySources = {
    paths: paths?.pack === pack ? paths : null,
    // Read only where a path is to tell gaps.
    hasGaps: gaps?.length > 0,
    outline: () => whole.outline(key),
    line: async () => {
      await charge();
      const points = await whole.line(key);
      return points === null ? null : { points, point_count, bbox: bounding_box, gaps: [] };
    },
    points: async () => {
      await charge();
      // A whole trip is clipped too: it may have changed since it was checked.
      const points = await unpackInSlices(await whole.points(key), work.slice);
      return finishInSlices(work.slice, visibility.clip(points));
    },
  };
  return Object.assign(trip, { geometry: new TripGeometry(sources, work) });
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
    stored.point?.lat === visible.point?.lat &&
    stored.point?.lon === visible.point?.lon;
  return isSame && !hasZones ? stored : visible;
}
