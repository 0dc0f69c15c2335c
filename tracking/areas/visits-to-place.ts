import type { VisitSpan } from '../../models/places/visit.ts';
import type { Known, Span } from '../../models/trips/derived-spans.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';

import { compare, comparedPoints } from './near-places.ts';
import { placeAt } from '../geometry/motion.ts';
import type { PlaceIndex } from './place-index.ts';
import { type ComparedPoint, type FoundStay, Presence } from './presence.ts';

/** Positions of a device's trips around those that have changed, in the order of their times. */
export interface ReadPositions {
  readonly points: TripPoints;
  /** The span of those that have changed. */
  readonly changed: Span;
  /** True if the device has no earlier positions. */
  readonly isFirst: boolean;
  /** True if the device has no later positions. */
  readonly isLast: boolean;
  /** Key of the user who drove at an instant; null if unknown. */
  readonly driverAt: (instant: number) => string | null;
}

/** Visits that follow from positions, and the stored ones that they replace. */
export interface ChangedVisits {
  readonly visits: readonly VisitSpan[];
  readonly replaced: readonly Known<VisitSpan>[];
}

/** The first and the last changed position, by number; the first is the number of positions if all are earlier. */
export function changedRange({ points: { time }, changed }: ReadPositions): readonly [first: number, last: number] {
  const first = time.findIndex((instant) => instant >= changed.from);
  return [first === -1 ? time.length : first, time.findLastIndex((instant) => instant <= changed.until)];
}

/**
 * The visits to a place that follow from changed positions. They are found from the last earlier position by which the vehicle
 * surely was in the place or was not, until the first later one after which nothing changes. Null if more positions must be
 * read.
 *
 * @param stored the visits to the place that are stored
 * @param now the time until which a vehicle has stayed where it was last, in milliseconds since 1970
 */
export function visitsToPlace(
  { places, key, now }: { readonly places: PlaceIndex; readonly key: string; readonly now: number },
  read: ReadPositions,
  stored: readonly Known<VisitSpan>[],
): ChangedVisits | null {
  const { points, changed, isFirst, isLast, driverAt } = read;
  const [first, last] = changedRange(read);
  const storedAt = (time: number) => stored.find(({ from, until }) => from <= time && time < until);
  const dwell = Math.max(0, ...places.areasOf(key).map(({ dwell_ms }) => dwell_ms));
  let begin = first - 1;
  for (; begin >= 0; begin--) {
    const { side, time } = compare(places, key, placeAt(points, begin));
    if (side === (storedAt(time) ? 'inside' : 'outside') && time + dwell <= changed.from) break;
  }
  if (begin < 0 && !isFirst) return null;
  const since = begin < 0 ? -Infinity : (points.time[begin] ?? 0);
  const earlier = storedAt(since);
  const presence = new Presence(earlier !== undefined);
  let until = Infinity;
  for (let at = begin + 1; at < points.length && until === Infinity; at++) {
    const compared = comparedPoints(places, key, points, at);
    for (const point of compared) presence.take(point);
    const { side, time } = compared.at(-1) as ComparedPoint;
    const isAsStored = presence.isSettledBy(side) && presence.isInside === (storedAt(time) !== undefined);
    if (at > last && isAsStored) until = time;
  }
  if (until === Infinity && !isLast) return null;
  if (until === Infinity) presence.passTime(now);
  const later = until === Infinity ? undefined : storedAt(until);
  const visits = presence.found.map((found) => visitOf(key, found, earlier, later, driverAt));
  return { visits, replaced: stored.filter((visit) => visit.until > since && visit.from <= until) };
}

function visitOf(
  place_key: string,
  { entry, exit }: FoundStay,
  earlier: VisitSpan | undefined,
  later: VisitSpan | undefined,
  driverAt: ReadPositions['driverAt'],
): VisitSpan {
  const pointOf = ({ lat, lon }: ComparedPoint) => ({ lat, lon });
  const ended = exit ? { until: exit.time, exit_point: pointOf(exit) } : later;
  const { until, exit_point } = ended ?? { until: Infinity, exit_point: null };
  if (entry === 'earlier') {
    if (!earlier) throw new TypeError('A visit that began earlier is stored');
    const { from, entry_point, driver_key, drawn_around } = earlier;
    return { place_key, from, entry_point, driver_key, drawn_around, until, exit_point };
  }
  const entered = { from: entry.time, entry_point: pointOf(entry), driver_key: driverAt(entry.time) };
  return { place_key, ...entered, drawn_around: entry.isDrawn, until, exit_point };
}
