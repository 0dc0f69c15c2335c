import type { TripGap } from '../../schema/trips/trip-gap.ts';

const SHORTEST_MS = 45_000;
const TIMES_USUAL_INTERVAL = 3;

/**
 * Finds the times without positions: longer than 45 s, and than three times the usual (lower median) interval. Steps
 * are the meters from each position to the next.
 */
export function gaps(time: Float64Array, steps: Float64Array): TripGap[] {
  const intervals = new Float64Array(steps.length);
  let greatest = 0;
  for (let i = 0; i < intervals.length; i++) {
    const interval = (time[i + 1] ?? 0) - (time[i] ?? 0);
    intervals[i] = interval;
    if (interval > greatest) greatest = interval;
  }
  if (greatest <= SHORTEST_MS) return [];
  const median = intervals.toSorted()[(intervals.length - 1) >> 1] ?? 0;
  const threshold = intervals.length < 3 ? SHORTEST_MS : Math.max(SHORTEST_MS, TIMES_USUAL_INTERVAL * median);
  const found: TripGap[] = [];
  for (const [i, interval] of intervals.entries()) {
    if (interval <= threshold) continue;
    found.push({
      started: new Date(time[i] ?? 0),
      ended: new Date(time[i + 1] ?? 0),
      duration_seconds: interval / 1000,
      distance_meters: steps[i] ?? 0,
    });
  }
  return found;
}
