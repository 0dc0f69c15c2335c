import { markWord } from '../../../models/trips/position-marks.ts';
import { emptyTripPoints, mergeTripPoints, type TripPoints } from '../../../models/trips/trip-points.ts';
import { emptyReadings } from '../../../models/trips/trip-readings.ts';
import type { Dice } from '../hostile/dice.ts';

import type { Truth } from './truth.ts';

/** A position that a device sends. */
export interface Fix {
  /** Seconds since the beginning of the recording. */
  readonly at: number;
  readonly lat: number;
  readonly lon: number;
  /** Meters per second. */
  readonly speed: number;
  readonly ignition: boolean | null;
  /** Meters. */
  readonly accuracy: number | null;
}

/** The rhythm in which a device reports. */
export interface Rhythm {
  /** Seconds between fixes of a vehicle that drives. */
  readonly every: number;
  /** The same while it is parked; null for a device that sleeps half a minute to a minute and a half after it has arrived. */
  readonly parked: number | null;
  /** Scatter of a parked device, in meters. */
  readonly scatter: number;
  /** Seconds for which it has no fix after it departs and before it arrives: from none up to this. */
  readonly basement?: number;
}

/** Beginning of recordings, in milliseconds since 1970. */
export const BEGINNING = Date.UTC(2026, 2, 1);

/** Place of the beginning, in degrees, and the meters in a degree there. */
const HOME = { lat: 53.08, lon: 8.8 };
const DEGREE = 111_195;

/** Time in which the error of a standing receiver changes, in seconds. */
const ERROR_SECONDS = 60;

/** Accuracy in meters beyond which the service believes no position. */
const BELIEVED_ACCURACY = 200;

/** A fix moved by meters. */
export function moved<T extends Pick<Fix, 'lat' | 'lon'>>(fix: T, east: number, north: number): T {
  const lat = fix.lat + north / DEGREE;
  return { ...fix, lat, lon: fix.lon + east / (DEGREE * Math.cos((lat * Math.PI) / 180)) };
}

/** The fixes that a faultless device reports of a day. */
export function fixesOf(dice: Dice, truth: Truth, rhythm: Rhythm): Fix[] {
  const fixes: Fix[] = [];
  const error = { east: 0, north: 0, at: 0 };
  const dark = darkTimes(dice, truth, rhythm);
  const awake = 30 + dice.below(60);
  const wakes = [...truth.trips.map(({ start }) => start), Infinity];
  for (let at = dice.below(Math.min(rhythm.every, 60)); at < truth.end; ) {
    const isMoving = truth.isMoving(at);
    const place = truth.at(at);
    const before = truth.at(at - 1);
    wander(dice, error, at, isMoving ? 0 : rhythm.scatter);
    const speed = Math.hypot(place.east - before.east, place.north - before.north);
    const isDark = dark.some(([from, until]) => at >= from && at < until);
    const sent: Fix = { at, ...HOME, speed: Math.min(speed, 60), ignition: null, accuracy: null };
    if (!isDark) fixes.push(moved(sent, place.east + error.east, place.north + error.north));
    const isAwake = [0, ...truth.trips.map(({ end }) => end)].some((from) => at >= from && at < from + awake);
    const departure = (wakes.find((start) => start > at) ?? Infinity) + dice.below(rhythm.every);
    const next = isMoving || isAwake ? at + rhythm.every : at + (rhythm.parked ?? Infinity);
    at = rhythm.parked === rhythm.every ? next : Math.min(next, departure);
  }
  return fixes;
}

/** Fixes as the service takes them in: in order, each time once, with marks of what it does not believe. */
export function recordingOf(fixes: readonly Fix[]): TripPoints {
  const points = emptyTripPoints(fixes.length);
  const readings = emptyReadings(fixes.length);
  const events = new Map<number, readonly string[]>();
  for (const [i, { at, lat, lon, speed, ignition, accuracy }] of fixes.entries()) {
    points.time[i] = BEGINNING + at * 1000;
    points.lat[i] = lat;
    points.lon[i] = lon;
    points.speed[i] = speed;
    if (ignition !== null) readings.ignition[i] = Number(ignition);
    if (lat === 0 && lon === 0) events.set(i, [markWord('invalid')]);
    else if ((accuracy ?? 0) > BELIEVED_ACCURACY) events.set(i, [markWord('inaccurate')]);
  }
  return mergeTripPoints([{ ...points, events, readings }]);
}

/** Times without a fix: from a while before the vehicle arrives until a while after it departs. */
function darkTimes(dice: Dice, { trips }: Truth, { basement }: Rhythm): (readonly [from: number, until: number])[] {
  if (basement === undefined) return [];
  const ends = [0, ...trips.map(({ end }) => end - dice.below(basement))];
  return ends.map((from, i) => [from, (trips[i]?.start ?? Infinity) + dice.below(basement)]);
}

function wander(dice: Dice, error: { east: number; north: number; at: number }, at: number, scatter: number): void {
  const kept = Math.exp((error.at - at) / ERROR_SECONDS);
  const fresh = () => (dice.below(2001) / 1000 - 1 + dice.below(2001) / 1000 - 1) * scatter * Math.sqrt(1 - kept ** 2);
  error.east = error.east * kept + fresh();
  error.north = error.north * kept + fresh();
  error.at = at;
}
