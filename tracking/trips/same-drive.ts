import { mergeTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import { metersTo, placeAt, type TimedPlace } from '../geometry/motion.ts';
import { placeAfter } from '../geometry/track.ts';

/** Distance of two recorders in one vehicle, in meters: each may be some tens of meters off. */
const NEAR_METERS = 75;
/** Differences of two recorders' clocks that are tried, in milliseconds: that of a phone follows its network. */
const CLOCKS_MS = [0, 5, -5, 10, -10, 15, -15, 20, -20, 25, -25, 30, -30].map((seconds) => seconds * 1000);
/** Minimum time that two recordings have in common, unless it is half of the shorter: one trip begins where the other ends. */
const COMMON_MS = 15_000;
/** Share of the positions that are near the other recording: some may be far off, and ways between positions are not straight. */
const NEAR_SHARE = 0.5;

/**
 * Returns true if two trips of a vehicle are recordings of the same drive, as a whole or in part: at the times that both have,
 * most positions of the one with fewer are near the way of the other. False without positions at such times, or if one begins
 * where the other ends.
 */
export function isSameDrive(one: TripPoints, other: TripPoints): boolean {
  const [a, b] = [mergeTripPoints([one]), mergeTripPoints([other])];
  const from = Math.max(a.time[0] ?? Infinity, b.time[0] ?? Infinity);
  const until = Math.min(a.time[a.length - 1] ?? -Infinity, b.time[b.length - 1] ?? -Infinity);
  if (until - from < Math.min(COMMON_MS, durationOf(a) / 2, durationOf(b) / 2)) return false;
  const common = [a, b].map((points) => placesBetween(points, from, until));
  const isFirstSparse = (common[0]?.length ?? 0) <= (common[1]?.length ?? 0);
  const places = common[isFirstSparse ? 0 : 1] ?? [];
  const way = isFirstSparse ? b : a;
  const isNear = (shift: number) =>
    places.filter((place) => metersFrom(way, place, shift) <= NEAR_METERS).length >= places.length * NEAR_SHARE;
  return places.length > 0 && CLOCKS_MS.some(isNear);
}

function durationOf({ time, length }: TripPoints): number {
  return (time[length - 1] ?? 0) - (time[0] ?? 0);
}

function placesBetween(points: TripPoints, from: number, until: number): TimedPlace[] {
  const inside = [...points.time.keys()].filter(
    (at) => (points.time[at] ?? 0) >= from && (points.time[at] ?? 0) <= until,
  );
  return inside.map((at) => placeAt(points, at));
}

/** Meters from a place to where a vehicle was at the same time, or somewhat before or after. */
function metersFrom(way: TripPoints, place: TimedPlace, shift: number): number {
  const time = place.time + shift;
  const next = placeAfter(way.time, time);
  const [before, after] = [placeAt(way, Math.max(0, next - 1)), placeAt(way, Math.min(next, way.length - 1))];
  const elapsed = after.time - before.time;
  const share = elapsed > 0 ? Math.min(1, Math.max(0, (time - before.time) / elapsed)) : 0;
  const east = ((after.lon - before.lon + 540) % 360) - 180;
  const lat = before.lat + (after.lat - before.lat) * share;
  return metersTo({ lat, lon: before.lon + east * share }, place);
}
