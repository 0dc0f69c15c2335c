import type { TimedTrack, Track } from '../../../tracking/geometry/track.ts';

/** A track of `[lat, lon]` pairs. */
export function trackOf(...positions: readonly (readonly [lat: number, lon: number])[]): Track {
  return {
    length: positions.length,
    lat: Float64Array.from(positions, ([lat]) => lat),
    lon: Float64Array.from(positions, ([, lon]) => lon),
  };
}

/** A track of `[seconds, lat, lon]` triples. */
export function timedTrackOf(
  ...positions: readonly (readonly [seconds: number, lat: number, lon: number])[]
): TimedTrack {
  return {
    ...trackOf(...positions.map(([, lat, lon]) => [lat, lon] as const)),
    time: Float64Array.from(positions, ([seconds]) => seconds * 1000),
  };
}
