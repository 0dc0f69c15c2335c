import { readPlacesRevision } from '../../models/places/place.ts';
import { type Stay, stays } from '../../models/places/visit.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import type { Known, Span } from '../../models/trips/derived-spans.ts';
import { joinTripPoints, pointsBetween, type TripPoints } from '../../models/trips/trip-points.ts';

import { placesAt } from '../areas/known-places.ts';
import type { PlaceIndex } from '../areas/place-index.ts';
import { entersPlaces, type PlaceRun, runsInPlaces } from '../areas/runs-in-places.ts';
import { finishInSlices } from '../scheduling/steps.ts';
import { TimeSlice } from '../scheduling/time-slice.ts';
import { piecesOfTrips, recordedPoints } from '../trips/open-trip-points.ts';
import { type LeasedRecorder, nextTrip, tripsAround } from '../trips/recorded-trips.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * Computes the visits of a device again where positions have changed, under its lease. A visit is a run of consecutive
 * positions of the device's trips, in the order of their times, that are all in a place. It follows from the positions
 * alone, so that this may be repeated after a kill, as long as the positions are still in minutes.
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
  if (!entersPlaces(places, changed) && !(await stays.hasAny(recorder, goingOnAfter(span.from, span.until)))) return;
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
    const read = await positionsAround(recorder, span);
    const { points, before, after } = read;
    const runs = await finishInSlices(new TimeSlice(), runsInPlaces(points, places));
    const stored = await stays.within(recorder, goingOnAfter(before ?? -Infinity, after ?? Infinity));
    const now = staysOf(runs, read, stored);
    if (now !== null) return stays.replace(recorder, stored, now);
    // Visits beyond the span may be wrong: a position may have come before its process knew of the place.
    span = read.wider;
  }
}

/** The span of stays that continue after an instant: at their end, a position is already outside. */
function goingOnAfter(instant: number, until: number): Span {
  return { from: instant + 1, until };
}

/** Positions of a device's trips in a span of time, with the last one before it and the first one after it. */
interface PositionsAround {
  readonly points: TripPoints;
  /** Time of the position before the span; null if there is none. */
  readonly before: number | null;
  /** Time of the position after the span; null if there is none. */
  readonly after: number | null;
  /** The span of all positions that were read. */
  readonly wider: Span;
  /** Key of the user who drove at an instant; null if unknown. */
  readonly driverAt: (instant: number) => string | null;
}

async function positionsAround(recorder: LeasedRecorder, { from, until }: Span): Promise<PositionsAround> {
  const around = await tripsAround(recorder, from, until);
  const next = await nextTrip(recorder, until);
  const trips = next === null ? around : [...around, next];
  const begin = Math.min(from, trips[0]?.start ?? from);
  const { all } = await recordedPoints(recorder, trips, begin, next === null ? Infinity : next.start + 1);
  const inTrips = joinTripPoints(piecesOfTrips(trips, all).map(({ points }) => points));
  const { time } = inTrips;
  const before = time.findLast((instant) => instant < from) ?? null;
  const after = time.find((instant) => instant > until) ?? null;
  const points = pointsBetween(inTrips, before ?? from, (after ?? until) + 1);
  const driverAt = (instant: number) => trips.findLast(({ start }) => start <= instant)?.user_key ?? null;
  return { points, before, after, wider: { from: time[0] ?? from, until: time.at(-1) ?? until }, driverAt };
}

/**
 * The stays that correspond to runs of positions. One that began earlier has the beginning of the stored one, and one that
 * continues afterwards has its end; null if the stored one is missing.
 */
function staysOf(
  runs: readonly PlaceRun[],
  { points, before, after, driverAt }: PositionsAround,
  stored: readonly Known<Stay>[],
): Stay[] | null {
  const timeOf = (at: number) => points.time[at] ?? Number.NaN;
  const pointOf = (at: number) => ({ lat: points.lat[at] ?? Number.NaN, lon: points.lon[at] ?? Number.NaN });
  const goingOn = (place_key: string, instant: number) =>
    stored.find((stay) => stay.place_key === place_key && stay.from <= instant && instant < stay.until);
  const found: Stay[] = [];
  for (const { place_key, first, end } of runs) {
    const earlier = first === 0 && before !== null ? goingOn(place_key, before) : null;
    const later = end === points.length && after !== null ? goingOn(place_key, after) : null;
    if (earlier === undefined || later === undefined) return null;
    const entered = { from: timeOf(first), entry_point: pointOf(first), driver_key: driverAt(timeOf(first)) };
    const { from, entry_point, driver_key } = earlier ?? entered;
    const ended = end < points.length ? { until: timeOf(end), exit_point: pointOf(end) } : later;
    const { until, exit_point } = ended ?? { until: Infinity, exit_point: null };
    found.push({ place_key, driver_key, from, until, entry_point, exit_point });
  }
  return found;
}
