import type { Recorder } from '../../models/trips/device-minute.ts';
import { pickTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';

import { sizesWithin } from './recorded-trips.ts';

/** Positions farther apart than this are recorded together only if there is little between them. */
const APART_MS = 6 * 3_600_000;
/** Maximum trips between groups that are recorded together: per group on average, and their positions altogether. */
const TRIPS_A_GROUP = 4;
const POSITIONS_BETWEEN = 20_000;

/**
 * Splits positions, in the order of their times, into parts that are recorded at once: work on a part takes the trips
 * within it, so that positions with years of trips between them are not one.
 */
export async function segmentsOf(recorder: Recorder, points: TripPoints): Promise<TripPoints[]> {
  const groups = groupsOf(points.time);
  const [first, ...others] = groups;
  if (!first) return [];
  if (others.length === 0) return [points];
  const [from, until] = [points.time[0] ?? 0, points.time[points.length - 1] ?? 0];
  const max = TRIPS_A_GROUP * groups.length;
  const trips = await sizesWithin(recorder, from, until, max);
  // If there were more trips, nothing is known after the last one that was read.
  const known = trips.length > max ? (trips[max]?.start ?? from) : Infinity;

  const parts = [first];
  let at = 0;
  let between = 0;
  for (const group of others) {
    const last = points.time[group.at(-1) ?? 0] ?? 0;
    for (; (trips[at]?.start ?? Infinity) <= last; at++) between += trips[at]?.count ?? 0;
    if (last < known && between <= POSITIONS_BETWEEN) {
      parts.at(-1)?.push(...group);
    } else {
      parts.push(group);
      between = 0;
    }
  }
  return parts.map((places) => pickTripPoints(points, places));
}

/** The numbers of times in order, split at pauses of hours. */
function groupsOf(time: Float64Array): number[][] {
  const groups: number[][] = [];
  for (let at = 0; at < time.length; at++) {
    const isApart = (time[at] ?? 0) - (time[at - 1] ?? -Infinity) > APART_MS;
    if (isApart) groups.push([]);
    groups.at(-1)?.push(at);
  }
  return groups;
}
