import { mergeTripPoints, placedNumbers, pointsBetween, type TripPoints } from '../../models/trips/trip-points.ts';
import type { NewTail, TailFacts } from '../../models/vehicles/device-tail.ts';
import type { TripLimits } from '../../models/trips/trip-limits.ts';
import { isJump, metersTo, placeAt, type TimedPlace } from '../geometry/motion.ts';
import { readingAt } from '../geometry/readings.ts';

import { continueRecording, mayCut, type RecordingEnd } from './cut-recording.ts';

/** Maximum number of positions of a stay that are in the tail of a device from the beginning. */
const MAX_POSITIONS = 400;

/** Number of positions at the beginning of a tail about which earlier ones may decide if they strayed. */
const UNSURE = 3;

/** Share of the time that ends a trip after which another anchor is found: positions move out of the tail now and then. */
const RENEWED = 0.8;

/** The tail that a recording leaves, if later positions may continue it without another cut; else null. */
export function tailOf(vehicle_key: string, points: TripPoints, end: RecordingEnd): NewTail | null {
  const { last, anchor, stay, motion, isEngineOn, isOff, isUndecided, ignition } = end;
  if (last === null || isOff || isUndecided) return null;
  const isWhole = stay !== null && last - stay < MAX_POSITIONS;
  if (anchor === null && !isWhole) return null;
  const at = placeAt(points, last);
  return {
    vehicle_key,
    last: new Date(at.time),
    point: { lat: at.lat, lon: at.lon },
    engine_started: isEngineOn,
    driving: motion === 'driving',
    anchor: anchor === null ? null : anchorAt(placeAt(points, anchor)),
    ignition,
    leased: null,
    whole: isWhole,
    points: isWhole ? pointsBetween(points, points.time[stay] ?? Infinity, Infinity) : null,
  };
}

/**
 * The end of a recording after new positions, if `cutRecording` would find that they only continue its trip or its stay, whatever
 * was before; else null. They come after the last one, or between positions in the tail, which are `known`.
 */
export function continueTail(
  tail: TailFacts,
  added: TripPoints,
  known: () => TripPoints,
  limits: TripLimits,
): TailFacts | null {
  const { driving, point } = tail;
  if (driving === null || !point || mayCut(added) || (driving && limits.isSecondary)) return null;
  let last: TimedPlace = { ...point, time: tail.last.getTime() };
  let isNear = true;
  for (let at = 0; at < added.length; at++) {
    const next = placeAt(added, at);
    const ignition = readingAt(added, 'ignition', at);
    if (ignition !== null && (ignition === 1) !== tail.ignition) return null;
    isNear &&= next.time > last.time && isAsBefore(tail, last, next, limits);
    if (next.time < last.time) continue;
    if (isJump(last, next, limits.maximum_speed) || (driving && next.time - last.time >= limits.gap)) return null;
    last = next;
  }
  const anchor = isNear ? tail.anchor : anchorAfter(tail, added, known(), limits);
  if (anchor === undefined) return null;
  return { ...tail, last: new Date(last.time), point: { lat: last.lat, lon: last.lon }, anchor };
}

/**
 * All positions of the stay at the end of a recording, of which some are in the tail, and those that follow; null if they do not show
 * by themselves which trips follow. If there is none in the tail, the last position of the trip before shows which are jumps.
 */
export function stayWith(
  { whole, last, point }: TailFacts,
  inTail: TripPoints,
  added: TripPoints,
  limits: TripLimits,
): TripPoints | null {
  if (!whole) return null;
  const all = mergeTripPoints([inTail, added]);
  const [first] = placedNumbers(inTail).length > 0 ? [] : placedNumbers(all);
  if (first === undefined) return all;
  const isKnown = point && !isJump({ ...point, time: last.getTime() }, placeAt(all, first), limits.maximum_speed);
  return isKnown ? all : null;
}

/** Returns true if a position is near those of a stay, or far from one of a trip that is not old. */
function isAsBefore(tail: TailFacts, last: TimedPlace, next: TimedPlace, limits: TripLimits): boolean {
  const { anchor, driving, engine_started } = tail;
  if (engine_started || limits.isSecondary) return true;
  if (!anchor) return false;
  if (!driving) return metersTo(anchor, next) <= limits.movement / 2;
  return next.time - last.time < limits.stop && isAway(anchor, next, limits, RENEWED * limits.stop);
}

/**
 * The anchor after new positions, by cutting the tail again; null if it depends on more. Undefined if a trip or a stay begins or
 * ends, or may, depending on what was before the tail.
 */
function anchorAfter(
  tail: TailFacts,
  added: TripPoints,
  known: TripPoints,
  limits: TripLimits,
): TailFacts['anchor'] | undefined {
  if (added.length === 0) return tail.anchor;
  const first = added.time[0] ?? Number.NaN;
  const isDriving = tail.driving === true;
  const decisive = known.time.findIndex((time) => time >= first - limits.stop) - UNSURE - 1;
  const recent = isDriving ? pointsBetween(known, known.time[decisive] ?? -Infinity, Infinity) : known;
  const all = mergeTripPoints([recent, added]);
  const timeOf = (at: number) => all.time[at] ?? Infinity;
  const from = all.time.indexOf(first);
  if (from === 0 && timeOf(0) < tail.last.getTime()) return undefined;
  for (let at = from; at < all.length; at++) {
    const before = at === 0 ? tail.last.getTime() : timeOf(at - 1);
    if (timeOf(at) - before >= Math.min(limits.stop, limits.gap)) return undefined;
  }
  // A vehicle that stands departs from a position that is not older than a stop.
  if (!isDriving && !tail.whole && timeOf(from) - limits.stop < timeOf(UNSURE)) return undefined;
  const end = continueRecording(all, limits, tail);
  if (end === null || end.isUndecided) return undefined;
  if (tail.engine_started) return tail.anchor;
  if (!isDriving) return end.anchor === null ? null : anchorAt(placeAt(all, end.anchor));
  const earlier = tail.anchor && tail.anchor.at.getTime() < timeOf(0) ? tail.anchor : null;
  let anchor: TailFacts['anchor'] = null;
  for (let at = from; at < all.length; at++) {
    const away = end.awayFrom(at);
    if (away < UNSURE && !(earlier && isAway(earlier, placeAt(all, at), limits))) return undefined;
    anchor = away < UNSURE ? earlier : anchorAt(placeAt(all, away));
  }
  return anchor;
}

/** Returns true if a place is away from an earlier one that is not old: by default, younger than a stop. */
function isAway(
  anchor: NonNullable<TailFacts['anchor']>,
  place: TimedPlace,
  { movement, stop }: TripLimits,
  age = stop,
): boolean {
  const time = place.time - anchor.at.getTime();
  return time > 0 && time < age && metersTo(anchor, place) > movement;
}

function anchorAt({ lat, lon, time }: TimedPlace): TailFacts['anchor'] {
  return { lat, lon, at: new Date(time) };
}
