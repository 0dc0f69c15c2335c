import type { TripScope } from '../auth/trip-scope.ts';
import type { TripWindow } from '../auth/trip-window.ts';
import type { Sight } from '../models/tenancy.ts';
import { type StoredTrip, TripModel } from '../models/trip.ts';
import { type Page, pageOf } from '../schema/page.ts';
import { ServiceError } from '../schema/service-error.ts';

import { type TripView, viewTrips } from './trip-view.ts';

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;

/** Which trips of a vehicle are asked for, and what of them may be seen. */
export interface TripPageRequest {
  /** The sight of the vehicle. */
  readonly sight: Sight;
  /** When the trips must have started. */
  readonly window: TripWindow;
  /** What the caller's token opens; empty for callers without one. */
  readonly scope: TripScope;
  /** Size of the page. */
  readonly first: number;
  /** Key of the trip with which the page begins. */
  readonly after: string | null;
}

/** A place in the list, which is ordered by start and then key. */
interface Place {
  readonly start: number;
  readonly key: string;
}

/**
 * A page of a vehicle's trips, as seen through the caller's window: a trip that straddles its beginning stands where
 * what remains of it starts.
 *
 * @throws ServiceError BAD_REQUEST where `after` is no trip of the list
 */
export async function tripPage(request: TripPageRequest): Promise<Page<TripView>> {
  const { sight, scope, first } = request;
  const from = Math.max(request.window.from, scope.gte ?? -Infinity);
  const until = Math.min(request.window.until, scope.lt ?? Infinity);
  const place = request.after === null ? null : await placeOf(request.after, request);
  const isListed = (trip: Place) => trip.start >= from && trip.start < until;
  if (place && !isListed(place)) throw unknownCursor();
  if (until <= from) return pageOf<TripView>([], first, keyOf);

  const straddling = scope.gte === undefined ? [] : await tripsAcross(sight, scope.gte);
  const started = await tripsStarted(sight, { from, until, place, count: first + 1 });
  const views = (await viewTrips(sight, scope, [...straddling, ...started])).map((view) => ({
    view,
    start: view.start_point.timestamp.getTime(),
    key: view.key,
  }));
  const listed = views
    .filter((trip) => isListed(trip) && (!place || compare(trip, place) >= 0))
    .sort(compare)
    .map(({ view }) => view);
  return pageOf(listed, first, keyOf);
}

/** One trip of a vehicle as seen through a window, or null where it does not exist there. */
export async function findTrip(sight: Sight, scope: TripScope, key: string): Promise<TripView | null> {
  const trip = await TripModel.findOne({ key, staged: false }, null, { sight }).lean<StoredTrip>().exec();
  const [view] = trip ? await viewTrips(sight, scope, [trip]) : [];
  return view ?? null;
}

async function placeOf(key: string, { sight, scope }: TripPageRequest): Promise<Place> {
  const trip = await findTrip(sight, scope, key);
  if (!trip) throw unknownCursor();
  return { start: trip.start_point.timestamp.getTime(), key };
}

/** The first trips that started in `[from, until)`, from a place on. */
function tripsStarted(
  sight: Sight,
  { from, until, place, count }: { from: number; until: number; place: Place | null; count: number },
): Promise<StoredTrip[]> {
  const lowest = Math.max(from, place?.start ?? -Infinity);
  const start = {
    ...(lowest > -Infinity && { $gte: new Date(lowest) }),
    ...(until < Infinity && { $lt: new Date(until) }),
  };
  const filter = {
    vehicle_key: sight.vehicle_key ?? '',
    staged: false,
    ...(Object.keys(start).length > 0 && { 'start_point.timestamp': start }),
    ...(place && { $or: [{ 'start_point.timestamp': { $gt: new Date(place.start) } }, { key: { $gte: place.key } }] }),
  };
  return TripModel.find(filter, null, { sight })
    .sort({ 'start_point.timestamp': 1, key: 1 })
    .limit(count)
    .lean<StoredTrip[]>()
    .exec();
}

/**
 * The trips that were under way at an instant: they started before it and ended at it or later.
 *
 * Nearly all trips are shorter than a day, so only a day of starts is looked at; the few longer ones have an index.
 */
async function tripsAcross(sight: Sight, instant: number): Promise<StoredTrip[]> {
  const moment = new Date(instant);
  const dayBefore = new Date(instant - DAY_MS);
  const across = { vehicle_key: sight.vehicle_key ?? '', staged: false, 'end_point.timestamp': { $gte: moment } };
  const [recent, long] = await Promise.all([
    TripModel.find({ ...across, 'start_point.timestamp': { $gte: dayBefore, $lt: moment } }, null, { sight })
      .lean<StoredTrip[]>()
      .exec(),
    TripModel.find(
      { ...across, duration_seconds: { $gt: DAY_SECONDS }, 'start_point.timestamp': { $lt: dayBefore } },
      null,
      { sight },
    )
      .lean<StoredTrip[]>()
      .exec(),
  ]);
  return [...recent, ...long];
}

function compare(a: Place, b: Place): number {
  return a.start - b.start || (a.key < b.key ? -1 : Number(a.key > b.key));
}

function keyOf({ key }: { readonly key: string }): string {
  return key;
}

function unknownCursor(): ServiceError {
  return new ServiceError('BAD_REQUEST', 'after is not a cursor of this list');
}
