import type { TripPoints } from '../../models/trips/trip-points.ts';

import { placeAt, type TimedPlace } from '../geometry/motion.ts';
import type { ComparedPoint } from './presence.ts';
import type { PlaceIndex } from './place-index.ts';

/**
 * Returns true if all of some positions are in exactly the same places and borders as a position before them, at which the
 * vehicle neither was about to arrive nor to leave: then they change no visit.
 */
export function staysInPlaces(places: PlaceIndex, before: TimedPlace, points: TripPoints): boolean {
  const there = namesOf(places, before);
  let last = before;
  for (let at = 0; at < points.length; at++) {
    const point = placeAt(points, at);
    if (namesOf(places, point) !== there || places.drawnAround(last, point.time).length > 0) return false;
    last = point;
  }
  return true;
}

function namesOf(places: PlaceIndex, point: TimedPlace): string {
  const sides = places.sidesAt(point);
  return sides.size === 0 ? '' : JSON.stringify([...sides].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns true if any of some positions is in a place, or in the border of one. */
export function isNearPlaces(places: PlaceIndex, points: TripPoints): boolean {
  for (let at = 0; at < points.length; at++) if (places.sidesAt(placeAt(points, at)).size > 0) return true;
  return false;
}

/** Compares one of some positions with a place; before it comes the time at which the place was drawn around the one before. */
export function comparedPoints(places: PlaceIndex, key: string, points: TripPoints, at: number): ComparedPoint[] {
  const point = placeAt(points, at);
  const compared = compare(places, key, point);
  if (at === 0) return [compared];
  const before = placeAt(points, at - 1);
  if (!places.drawnAround(before, point.time).includes(key)) return [compared];
  const drawn = places
    .areasOf(key)
    .filter(
      ({ since, sideOf }) => since > before.time && since <= point.time && sideOf(before.lat, before.lon) === 'inside',
    )
    .map((area) => ({ ...before, time: area.since, side: 'inside', area, isDrawn: true }) as const);
  return [...drawn, compared];
}

/** Compares a position with the area that a place had at its time. */
export function compare(places: PlaceIndex, key: string, point: TimedPlace): ComparedPoint {
  const { lat, lon, time } = point;
  const area = places.areasOf(key).find(({ since, until }) => time >= since && time < until) ?? null;
  return { ...point, side: area?.sideOf(lat, lon) ?? 'outside', area, isDrawn: false };
}
