import { readPlacesRevision } from '../../models/places/place.ts';
import { type VisitSpan, visitSpans } from '../../models/places/visit.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import type { Known, Span } from '../../models/trips/derived-spans.ts';
import type { Recorder } from '../../models/trips/device-minute.ts';
import { joinTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import type { TailFacts } from '../../models/vehicles/device-tail.ts';

import { placesAt, placesNow } from '../areas/known-places.ts';
import { isNearPlaces } from '../areas/near-places.ts';
import { placeAt } from '../geometry/motion.ts';
import type { PlaceSide } from '../areas/place-area.ts';
import type { PlaceIndex } from '../areas/place-index.ts';
import { changedRange, type ChangedVisits, type ReadPositions, visitsToPlace } from '../areas/visits-to-place.ts';
import { finishInSlices, POSITIONS_A_STEP, type Steps } from '../scheduling/steps.ts';
import { TimeSlice } from '../scheduling/time-slice.ts';
import { piecesOfTrips, recordedPoints } from '../trips/open-trip-points.ts';
import { type LeasedRecorder, nextTrip, tripsAround } from '../trips/recorded-trips.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * Computes the visits of a device again where positions have changed, under its lease. They follow from the positions of the
 * device's trips, in the order of their times, and from the places alone, so that this may be repeated after a kill, as long
 * as the positions are still in minutes.
 *
 * @param changed positions that are new, or in another trip than before, in the order of their times
 */
export async function updateVisits(
  service: Service,
  recorder: LeasedRecorder,
  changed: TripPoints,
  places: PlaceIndex,
): Promise<void> {
  if (places.isEmpty || changed.length === 0) return;
  const span = { from: changed.time[0] ?? 0, until: changed.time[changed.length - 1] ?? 0 };
  const mayChange =
    places.hasDwell ||
    isNearPlaces(places, changed) ||
    (await visitSpans.hasAny(recorder, goingOnAfter(span.from, span.until))) ||
    (await isDrawnSince(recorder, span, places));
  if (mayChange) await whilePlacesStay(service, recorder, span, places);
}

/** Has a silent device arrive or leave where this takes some time: it stays where it is. */
export async function settleVisits(service: Service, recorder: LeasedRecorder, now = Date.now()): Promise<void> {
  const places = await placesNow(service, recorder.accessScope.account_key);
  if (places.hasDwell) await whilePlacesStay(service, recorder, { from: now, until: now }, places);
}

/**
 * Returns true if the vehicle of a device is neither about to arrive nor to leave at the end of its open trip: it has visits
 * to exactly the places that it is in, and is not in their borders.
 */
export async function areVisitsSettled(recorder: Recorder, end: TailFacts, places: PlaceIndex): Promise<boolean> {
  if (places.isEmpty || end.point == null) return true;
  const sides = places.sidesAt({ ...end.point, time: end.last.getTime() });
  if (!places.hasDwell && ![...sides.values()].includes('border')) return true;
  const open = new Set(
    (await visitSpans.within(recorder, { from: Infinity, until: Infinity })).map((one) => one.place_key),
  );
  const isSettled = (key: string, side: PlaceSide) =>
    side === 'inside' ? open.has(key) : !open.has(key) && !places.hasDwell;
  return [...sides].every(([key, side]) => isSettled(key, side)) && [...open].every((key) => sides.has(key));
}

/** Returns true if a place may have been drawn around the position before a span. */
async function isDrawnSince(recorder: LeasedRecorder, { from }: Span, places: PlaceIndex): Promise<boolean> {
  const [before] = await tripsAround(recorder, from, from);
  return places.lastDrawn > Math.min(from, before?.start ?? from);
}

async function whilePlacesStay(
  service: Service,
  recorder: LeasedRecorder,
  span: Span,
  places: PlaceIndex,
): Promise<void> {
  const { account_key } = recorder.accessScope;
  let now = places;
  while (await arrangeVisits(recorder, span, now)) {
    // A place that was deleted meanwhile is left without visits.
    const revision = await readPlacesRevision(accountAccessScope(service, account_key));
    if (revision === now.revision) return;
    now = await placesAt(service, account_key, revision);
  }
}

/** Updates the visits of a span from its positions; returns true if any is new. */
async function arrangeVisits(recorder: LeasedRecorder, changed: Span, places: PlaceIndex): Promise<boolean> {
  let span = changed;
  for (;;) {
    const { wider, ...read } = await positionsAround(recorder, span);
    const until = read.isLast ? Infinity : wider.until;
    const stored = await visitSpans.within(recorder, goingOnAfter(read.isFirst ? -Infinity : wider.from, until));
    const found = await finishInSlices(new TimeSlice(), changesIn(read, stored, places));
    if (found !== null) {
      const replaced = found.flatMap((one) => one.replaced);
      return visitSpans.replace(
        recorder,
        replaced,
        found.flatMap((one) => one.visits),
      );
    }
    // Visits beyond the span may change, or be wrong: a position may have come before its process knew of the place.
    span = wider;
  }
}

/** The changes of visits in each place that positions concern; null if more of them must be read. */
function* changesIn(
  read: ReadPositions,
  stored: readonly Known<VisitSpan>[],
  places: PlaceIndex,
  now = Date.now(),
): Steps<ChangedVisits[] | null> {
  const { points } = read;
  const [first, last] = changedRange(read);
  const from = Math.max(0, Math.min(first, points.length) - 1);
  const until = Math.min(points.length, last + 2);
  const [begin, end] = [points.time[from] ?? -Infinity, points.time[until - 1] ?? Infinity];
  const keys = new Set(stored.filter((visit) => visit.until > begin && visit.from <= end).map((one) => one.place_key));
  for (let at = from; at < until; at++) {
    for (const key of places.sidesAt(placeAt(points, at)).keys()) keys.add(key);
    const next = points.time[at + 1];
    if (next !== undefined) for (const key of places.drawnAround(placeAt(points, at), next)) keys.add(key);
    if (at % POSITIONS_A_STEP === 0) yield;
  }
  const found: ChangedVisits[] = [];
  for (const key of keys) {
    const ofPlace = stored.filter((visit) => visit.place_key === key);
    const changes = visitsToPlace({ places, key, now }, read, ofPlace);
    if (changes === null) return null;
    found.push(changes);
    yield;
  }
  return found;
}

/** The span of visits that continue after an instant: at their end, the vehicle is already outside. */
function goingOnAfter(instant: number, until: number): Span {
  return { from: instant + 1, until };
}

/** The positions of the trips around a span, and the span of all of them. */
async function positionsAround(
  recorder: LeasedRecorder,
  changed: Span,
): Promise<ReadPositions & { readonly wider: Span }> {
  const { from, until } = changed;
  const around = await tripsAround(recorder, from, until);
  const next = await nextTrip(recorder, until);
  const trips = next === null ? around : [...around, next];
  const begin = Math.min(from, trips[0]?.start ?? from);
  const { all } = await recordedPoints(recorder, trips, begin, next === null ? Infinity : next.start + 1);
  const points = joinTripPoints(piecesOfTrips(trips, all).map((piece) => piece.points));
  const wider = { from: Math.min(from, points.time[0] ?? from), until: Math.max(until, points.time.at(-1) ?? until) };
  const driverAt = (instant: number) => trips.findLast(({ start }) => start <= instant)?.user_key ?? null;
  // The trips before or after have no positions if these have expired.
  return {
    points,
    changed,
    isFirst: wider.from === from,
    isLast: wider.until === until || next === null,
    driverAt,
    wider,
  };
}
