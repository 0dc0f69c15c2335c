import type { TripGap } from '../../schema/trips/trip-gap.ts';

const SHORTEST_MS = 45_000;
const TIMES_USUAL_INTERVAL = 3;

/**
 * Finds the times without positions: longer than 45 s, and longer than three times the usual (lower median) interval. Steps
 * are the meters from each position to the next.
 */
export function gaps(time: Float64Array, steps: Float64Array): TripGap[] {
  return gapEnds(time).map((end) => {
    const [started = 0, ended = 0] = [time[end - 1], time[end]];
    return {
      started: new Date(started),
      ended: new Date(ended),
      duration_seconds: (ended - started) / 1000,
      distance_meters: steps[end - 1] ?? 0,
    };
  });
}

/** Finds the numbers of the positions, ascending, that follow a time without positions, see {@link gaps}. */
export function gapEnds(time: Float64Array): number[] {
  const intervals = new Float64Array(Math.max(0, time.length - 1));
  let greatest = 0;
  for (let i = 0; i < intervals.length; i++) {
    const interval = (time[i + 1] ?? 0) - (time[i] ?? 0);
    intervals[i] = interval;
    if (interval > greatest) greatest = interval;
  }
  if (greatest <= SHORTEST_MS) return [];
  const median = intervals.toSorted()[(intervals.length - 1) >> 1] ?? 0;
  const threshold = intervals.length < 3 ? SHORTEST_MS : Math.max(SHORTEST_MS, TIMES_USUAL_INTERVAL * median);
  const ends: number[] = [];
  for (const [i, interval] of intervals.entries()) if (interval > threshold) ends.push(i + 1);
  return ends;
}
