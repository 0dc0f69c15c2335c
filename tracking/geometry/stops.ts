import type { TripStop } from '../../schema/trips/trip-stop.ts';

import { haversineMeters } from './haversine.ts';
import type { TimedTrack } from './track.ts';

const RADIUS_METERS = 25;
const SHORTEST_MS = 20_000;

/**
 * Maximum number of positions of a run shorter than 20 s from which a stay is sought, so that the work grows with the
 * length of the track alone. With a correct clock, runs are shorter than this.
 */
const PLACES_TRIED_OF_A_RUN = 64;

/**
 * Finds the stays: from a first position on, within 25 m of it for 20 s or longer. While a clock stands still or runs
 * backwards for hundreds of positions, a stay may be found late, by a 64th of their number. `distance` is in meters.
 */
export function stops(track: TimedTrack, distance = haversineMeters): TripStop[] {
  const { time, lat, lon } = track;
  const found: TripStop[] = [];
  let from = 0;
  while (from < track.length) {
    let last = from;
    while (
      last + 1 < track.length &&
      distance(lat[from] ?? 0, lon[from] ?? 0, lat[last + 1] ?? 0, lon[last + 1] ?? 0) <= RADIUS_METERS
    ) {
      last++;
    }
    const arrival = time[from] ?? 0;
    const departure = time[last] ?? 0;
    if (departure - arrival < SHORTEST_MS) {
      from += Math.max(1, Math.floor((last - from) / PLACES_TRIED_OF_A_RUN));
      continue;
    }
    const middle = (from + last) >> 1;
    found.push({
      arrival: new Date(arrival),
      departure: new Date(departure),
      duration_seconds: (departure - arrival) / 1000,
      point: { lat: lat[middle] ?? 0, lon: lon[middle] ?? 0 },
    });
    from = last + 1;
  }
  return found;
}
