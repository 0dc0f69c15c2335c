/** A path as two columns of degrees; number `i` of both is one position. */
export interface Track {
  readonly length: number;
  readonly lat: Float64Array;
  readonly lon: Float64Array;
}

/** A track whose positions have times, in milliseconds since 1970 (UTC). */
export interface TimedTrack extends Track {
  readonly time: Float64Array;
}

/** Number of the first of some times in order that is later than a time. */
export function placeAfter(times: ArrayLike<number>, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}
