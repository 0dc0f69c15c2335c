import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import type { TripWindow } from '../../auth/scopes/trip-window.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { type StoredTrip, TripStore } from '../../models/trips/trip.ts';
import { type Page, unknownCursor } from '../../schema/page.ts';

import { ListCursors, type PageStart, type Places } from '../../models/lists/list-cursors.ts';
import { findTrips, type TripReading, viewTripsOfAll } from './trips-of-vehicles.ts';
import type { TripVisibility } from '../visibility/trip-visibility.ts';
import { type TripView, viewTrips } from './trip-view.ts';
import { type Place, placeOf, type TripFilter, TripsByStart } from './trips-by-start.ts';

/** Maximum number of trips that one query reads, however many of them are not visible. */
const MAX_AT_ONCE = 1001;

/** Trips that are requested, and the visible part of them. */
export interface TripPageRequest extends TripReading {
  readonly context: RequestContext;
  /** Of one vehicle, or of all that the caller sees. */
  readonly visibility: TripVisibility;
  readonly window: TripWindow;
  readonly filter: TripFilter;
  /** True for the reverse order. */
  readonly newestFirst: boolean;
  /** True to list what is found in that order from its end: the page before a cursor. */
  readonly isBackward: boolean;
  readonly first: number;
  /** Cursor of the page; without one, it is the first. */
  readonly after: string | null | undefined;
}

/**
 * Reads a page of trips, as the caller sees them: a trip whose beginning is not visible is listed where its visible part
 * starts.
 *
 * @throws ServiceError BAD_REQUEST for a cursor of another list, and for the key of a trip that is not in this one
 */
export async function tripPage(request: TripPageRequest): Promise<Page<TripView>> {
  const { visibility, window, first, newestFirst, isBackward } = request;
  const { records, mayShorten } = visibility;
  const from = Math.max(window.from, visibility.gte);
  const until = Math.min(window.until, visibility.lt);
  const isWithin = ({ start }: Place) => start >= from && start < until;
  const cursors = await tripCursors(accessScopeOf(request.context), async (key) => {
    const trip = await findTrip(visibility, key, request);
    return trip && isWithin(placeOf(trip)) ? placeOf(trip) : null;
  });
  const cursor = await cursors.start(request.after);
  const start = cursor && { ...cursor, isAfter: cursor.isAfter || isBackward };
  const page = (found: readonly TripView[]) => cursors.page({ found, size: first, start, placeOf, isBackward });
  const [lowest, highest] = newestFirst ? [until, from] : [from, until];
  const isBeyond = start && (newestFirst ? start.place.start < from : start.place.start >= until);
  if (until <= from || isBeyond) return page([]);

  // A cursor from before the window leads to its first trip.
  const begin = start && isWithin(start.place) ? start : { place: { start: lowest, key: '' }, isAfter: false };
  const trips = await TripsByStart.of({ ...request, records });
  const listed = new ListedTrips(trips, request, { begin, from, until });
  // The visible part of a trip starts no earlier than the trip, so no earlier place can follow the last trip that was read.
  if (mayShorten && !newestFirst) await listed.add(await trips.across(begin.place.start));
  let last: Place | null = mayShorten ? { start: begin.place.start, key: '' } : begin.place;
  let isInclusive = mayShorten || !begin.isAfter;
  const wanted = first + 1;
  // If the place of the cursor is read again, its trip is one more.
  let count = wanted + Number(isInclusive && begin.isAfter);
  for (; last && listed.countUpTo(last) < wanted; count = Math.min(2 * count, MAX_AT_ONCE)) {
    const started = await trips.started({ from: last, until: highest, isInclusive, count });
    await listed.add(started.trips);
    last = started.last;
    isInclusive = false;
    // Of the trips that started before the last one, those that had ended by then cannot come later in the list.
    if (mayShorten && newestFirst) await listed.add(await trips.across(last?.start ?? from));
  }
  return page(listed.views);
}

/** A page of a list of one trip, which a caller has asked for by its key: the trip, or nothing after it. */
export async function pageOfTrip(
  caller: AccessScope,
  trip: TripView,
  after: string | null | undefined,
): Promise<Page<TripView>> {
  const cursors = await tripCursors(caller, async () => placeOf(trip));
  const start = await cursors.start(after);
  const isOver = start?.isAfter && start.place.key === trip.key;
  return cursors.page({ found: isOver ? [] : [trip], size: 1, start, placeOf });
}

/** @param ofKey finds the place of a trip by its key, which was a cursor in version 0.2; null if it is not in the list */
function tripCursors(caller: AccessScope, ofKey: (key: string) => Promise<Place | null>): Promise<ListCursors<Place>> {
  const places: Places<Place> = {
    write: ({ start, key }) => `${start} ${key}`,
    read: (text) => ({ start: Number.parseInt(text, 10), key: text.slice(text.indexOf(' ') + 1) }),
    find: async (key) => {
      const place = await ofKey(key);
      if (!place) throw unknownCursor();
      return place;
    },
  };
  return ListCursors.of(caller.service, ['Trip', caller], places);
}

/** One trip as seen by a caller, or null if it does not exist for it. */
export async function findTrip(
  visibility: TripVisibility,
  key: string,
  reading: TripReading,
): Promise<TripView | null> {
  const { records } = visibility;
  if (records.vehicle_key === undefined) return (await findTrips(visibility, [key], reading))[0] ?? null;
  const trip = await TripStore.findOne(records, { key, staged: false }, reading.fields).exec();
  const [view] = trip ? await viewTrips(visibility, [trip], reading) : [];
  return view ?? null;
}

/** The part of a list that is asked for: from a place on, or after it, and what starts in `[from, until)`. */
interface ListedPart {
  readonly begin: PageStart<Place>;
  readonly from: number;
  readonly until: number;
}

/** The visible trips of a list that have been found so far, in order. */
class ListedTrips {
  readonly #trips: TripsByStart;
  readonly #request: TripPageRequest;
  readonly #part: ListedPart;
  readonly #looked = new Set<string>();
  #listed: (Place & { readonly view: TripView })[] = [];

  constructor(trips: TripsByStart, request: TripPageRequest, part: ListedPart) {
    this.#trips = trips;
    this.#request = request;
    this.#part = part;
  }

  get views(): readonly TripView[] {
    return this.#listed.map(({ view }) => view);
  }

  /** Adds the visible ones of trips; none twice. */
  async add(trips: readonly StoredTrip[]): Promise<void> {
    const { begin, from, until } = this.#part;
    const added = trips.filter(({ key }) => !this.#looked.has(key));
    for (const { key } of added) this.#looked.add(key);
    const views = await viewTripsOfAll(this.#request.visibility, added, this.#request);
    const placed = views.map((view) => ({ ...placeOf(view), view }));
    const isListed = (trip: Place) => {
      const order = this.#trips.compare(trip, begin.place);
      // The trip after which the page starts does not follow itself, even if it begins earlier now.
      const follows = begin.isAfter ? order > 0 && trip.key !== begin.place.key : order >= 0;
      return follows && trip.start >= from && trip.start < until;
    };
    this.#listed = [...this.#listed, ...placed.filter(isListed)].sort((a, b) => this.#trips.compare(a, b));
  }

  /** Number of trips up to a place. */
  countUpTo(place: Place): number {
    return this.#listed.filter((trip) => this.#trips.compare(trip, place) <= 0).length;
  }
}
