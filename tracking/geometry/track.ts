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
