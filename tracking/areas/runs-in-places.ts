import type { TripPoints } from '../../models/trips/trip-points.ts';

import { rangesOf, type Steps } from '../scheduling/steps.ts';
import type { PlaceIndex } from './place-index.ts';

/** Consecutive positions that are all in a place, by their numbers. */
export interface PlaceRun {
  readonly place_key: string;
  readonly first: number;
  /** Number of the first later position outside; the total number of positions if there is none. */
  readonly end: number;
}

/** Finds the runs of positions, in the order of their times, that are in places. */
export function* runsInPlaces(points: TripPoints, places: PlaceIndex): Steps<PlaceRun[]> {
  const runs: PlaceRun[] = [];
  const open = new Map<string, number>();
  for (const [from, until] of rangesOf(points.length)) {
    for (let at = from; at < until; at++) {
      const keys = places.at(...positionAt(points, at));
      for (const [place_key, first] of open) {
        if (keys.includes(place_key)) continue;
        runs.push({ place_key, first, end: at });
        open.delete(place_key);
      }
      for (const key of keys) if (!open.has(key)) open.set(key, at);
    }
    yield;
  }
  for (const [place_key, first] of open) runs.push({ place_key, first, end: points.length });
  return runs;
}

/** Returns true if all of some positions are in exactly the same places as a position before them. */
export function staysInPlaces(
  places: PlaceIndex,
  before: { readonly lat: number; readonly lon: number; readonly time: number },
  points: TripPoints,
): boolean {
  const there = places.at(before.lat, before.lon, before.time);
  for (let at = 0; at < points.length; at++) {
    const keys = places.at(...positionAt(points, at));
    if (keys.length !== there.length || keys.some((key, number) => key !== there[number])) return false;
  }
  return true;
}

/** Returns true if any of some positions is in a place. */
export function entersPlaces(places: PlaceIndex, points: TripPoints): boolean {
  for (let at = 0; at < points.length; at++) if (places.at(...positionAt(points, at)).length > 0) return true;
  return false;
}

function positionAt({ lat, lon, time }: TripPoints, at: number): [lat: number, lon: number, time: number] {
  return [lat[at] ?? Number.NaN, lon[at] ?? Number.NaN, time[at] ?? Number.NaN];
}
