/** When a trip was under way, in milliseconds since 1970; the end of one that is still under way is infinite. */
export interface TripSpan {
  readonly key: string;
  readonly from: number;
  readonly until: number;
}

/** The time between two trips of a vehicle. */
export interface BetweenTrips<T extends TripSpan> {
  /** The trip that ended last before it. */
  readonly before: T;
  /** The trip that started first after it; null if there is none. */
  readonly after: T | null;
}

/**
 * The times in which none of the trips of a vehicle was under way, in order. Trips of several devices may overlap.
 *
 * @param trips in any order
 */
export function betweenTrips<T extends TripSpan>(trips: readonly T[]): BetweenTrips<T>[] {
  const inOrder = trips.toSorted((a, b) => a.from - b.from || (a.key < b.key ? -1 : 1));
  const found: BetweenTrips<T>[] = [];
  let last: T | null = null;
  for (const trip of inOrder) {
    if (last && trip.from > last.until) found.push({ before: last, after: trip });
    if (!last || trip.until > last.until) last = trip;
  }
  return last && Number.isFinite(last.until) ? [...found, { before: last, after: null }] : found;
}
