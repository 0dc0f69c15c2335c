import type { StoredOdometer } from '../../models/vehicles/device.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import type { OdometerReading } from '../../models/vehicles/vehicle.ts';

import { odometerMiles } from './readings.ts';
import { JUMP_METERS_PER_SECOND } from './speeds.ts';

/**
 * Readings of an instrument, in the order of their times, that agree with each other. Times are numbers in any unit that the caller
 * keeps to, such as the numbers of positions.
 */
export interface ReadingBase {
  /** The last reading. */
  readonly value: number;
  /** Time of the first reading. */
  readonly begun: number;
  /** Time of the first reading that was the same as the last: devices repeat a reading until they have another. */
  readonly since: number;
  /** Time of the last reading. */
  readonly at: number;
  readonly count: number;
}

/** Readings of an instrument that are believed, and later ones that contradict them. */
interface Followed {
  readonly base: ReadingBase;
  readonly next: ReadingBase | null;
}

/** Number of consecutive readings that agree with each other from which they are believed, although they contradict earlier ones. */
const CONFIRMED = 3;

/** Maximum step of odometers: those that count whole kilometers or miles. In meters. */
const STEP_METERS = 2000;
/** Time after which an odometer can be anything: a longer silence does not excuse more. In milliseconds. */
const MAX_SILENCE_MS = 86_400_000;
/** Time between positions up to which the way between them is known, in milliseconds, and how much longer than the line it may be. */
const DENSE_MS = 120_000;
const WINDING = 3;

/** Percent by which the fuel level can change at once, since fuel splashes. */
const SPLASH = 10;
/** Percent of the fuel that a vehicle needs at most for a meter, and for an hour of standing. */
const PERCENT_A_METER = 0.001;
const PERCENT_AN_HOUR = 10;

/**
 * Adds a reading to those before. One that contradicts them is not believed, unless the following ones agree with it: then the
 * instrument was reset or replaced. Instruments report 0 before they know better, so 0 contradicts nothing and begins nothing.
 */
function follow(
  known: Followed | null,
  reading: Pick<ReadingBase, 'at' | 'value'>,
  agrees: (before: ReadingBase) => boolean,
): Followed | null {
  if (known && agrees(known.base)) return { base: continued(known.base, reading), next: null };
  if (reading.value === 0) return known;
  const alone = { ...reading, begun: reading.at, since: reading.at, count: 1 };
  if (!known) return { base: alone, next: null };
  const { base, next } = known;
  const found = next && agrees(next) ? continued(next, reading) : alone;
  return found.count >= CONFIRMED || found.count > base.count ? { base: found, next: null } : { base, next: found };
}

function continued(before: ReadingBase, { at, value }: Pick<ReadingBase, 'at' | 'value'>): ReadingBase {
  return { ...before, value, since: value === before.value ? before.since : at, at, count: before.count + 1 };
}

/** The bases of a column of readings, in their order; times are the numbers of its positions. */
function basesOf(column: Float64Array, agrees: (before: ReadingBase, at: number) => boolean): readonly ReadingBase[] {
  const bases: ReadingBase[] = [];
  let known: Followed | null = null;
  for (const [at, value] of column.entries()) {
    if (Number.isNaN(value)) continue;
    known = follow(known, { at, value }, (before) => agrees(before, at));
    if (!known) continue;
    const isSame = bases.at(-1)?.begun === known.base.begun;
    bases.splice(isSame ? -1 : bases.length, 1, known.base);
  }
  return bases;
}

/** The base with most readings, the later one of equals. */
function mainOf(bases: readonly ReadingBase[]): ReadingBase | null {
  return bases.reduce<ReadingBase | null>((main, base) => (main && main.count > base.count ? main : base), null);
}

/** A reading at each end of a trip; null without a believed one. */
export interface EndReadings {
  readonly start: number | null;
  readonly end: number | null;
}

/**
 * The odometer at the ends of a trip in meters: the first and the last reading of one base, so that a reset makes no trip of a
 * negative or an impossible length. `steps` are the meters from each position to the next.
 */
export function endOdometers({ readings, time }: TripPoints, steps: Float64Array): EndReadings {
  if (!readings) return { start: null, end: null };
  const reach = sums(time.length, (at) => {
    const elapsed = Math.abs((time[at] ?? 0) - (time[at - 1] ?? 0));
    const driven = elapsed <= DENSE_MS ? WINDING * (steps[at - 1] ?? 0) : Infinity;
    return Math.min(driven, drivable(elapsed));
  });
  const { odometer } = readings;
  const isDriven = (from: number, to: number) => {
    const step = (odometer[to] ?? 0) - (odometer[from] ?? 0);
    return step >= 0 && step <= STEP_METERS + (reach[to] ?? 0) - (reach[from] ?? 0);
  };
  const main = mainOf(basesOf(odometer, ({ begun, since }, at) => isDriven(since, at) && isDriven(begun, at)));
  if (!main) return { start: null, end: null };
  return { start: odometer[main.begun] ?? null, end: main.value };
}

/**
 * The fuel level at the ends of a trip in percent: the first and the last one of bases. After refuelling there is another base.
 * `steps` are the meters from each position to the next.
 */
export function endFuelLevels({ readings, time }: TripPoints, steps: Float64Array): EndReadings {
  if (!readings) return { start: null, end: null };
  const used = sums(time.length, (at) => {
    const hours = Math.abs((time[at] ?? 0) - (time[at - 1] ?? 0)) / 3_600_000;
    return (steps[at - 1] ?? 0) * PERCENT_A_METER + hours * PERCENT_AN_HOUR;
  });
  const bases = basesOf(readings.fuel_level, (before, at) => {
    const change = (readings.fuel_level[at] ?? 0) - before.value;
    return change <= SPLASH && -change <= SPLASH + (used[at] ?? 0) - (used[before.since] ?? 0);
  });
  const main = mainOf(bases);
  const confirmed = bases.filter((base) => base === main || base.count >= CONFIRMED);
  const [first, last] = [confirmed[0], confirmed.at(-1)];
  return { start: first ? (readings.fuel_level[first.begun] ?? null) : null, end: last ? last.value : null };
}

/** Sums of a function of all positions after the first, until each position. */
function sums(length: number, of: (at: number) => number): Float64Array {
  const column = new Float64Array(length);
  for (let at = 1; at < length; at++) column[at] = (column[at - 1] ?? 0) + of(at);
  return column;
}

/** Meters that a vehicle drives at most in a time in milliseconds. */
function drivable(milliseconds: number): number {
  return (Math.min(milliseconds, MAX_SILENCE_MS) / 1000) * JUMP_METERS_PER_SECOND;
}

/** The reading of the odometer of a vehicle that its device has made since an earlier state; null if there is none. */
export function newReading(
  vehicle_key: string,
  known: StoredOdometer | null,
  followed: StoredOdometer | null,
): OdometerReading | null {
  if (!followed || followed.base.at <= (known?.base.at ?? -Infinity)) return null;
  return { vehicle_key, miles: odometerMiles(followed.base.value), at: new Date(followed.base.at) };
}

/** Returns true if positions have brought an odometer that contradicts earlier ones, and is not believed, or not yet. */
export function isDoubted(known: StoredOdometer | null, followed: StoredOdometer | null): boolean {
  return followed?.next != null && followed.next.at !== known?.next?.at;
}

/** Numbers of the positions, in the order of their times, whose odometers are not believed, apart from 0. */
export function doubtedOdometers({ readings, time }: TripPoints): ReadonlySet<number> {
  const doubted: number[] = [];
  let known = null as StoredOdometer | null;
  let waiting: number[] = [];
  for (const [number, value] of readings?.odometer.entries() ?? []) {
    if (Number.isNaN(value) || value === 0) continue;
    const followed: StoredOdometer | null = followReading(known, { at: time[number] ?? Number.NaN, value });
    if (followed?.next) {
      waiting.push(number);
    } else {
      // Those that wait are the beginning of another base, or wrong.
      if (followed?.base.begun === known?.base.begun) doubted.push(...waiting);
      waiting = [];
    }
    known = followed;
  }
  return new Set([...doubted, ...waiting]);
}

/**
 * Follows the odometer of a device to positions in the order of their times; those that are not later than the known readings change
 * nothing.
 */
export function followOdometer(known: StoredOdometer | null, { readings, time }: TripPoints): StoredOdometer | null {
  let followed = known;
  for (const [number, value] of readings?.odometer.entries() ?? []) {
    followed = followReading(followed, { at: time[number] ?? Number.NaN, value });
  }
  return followed;
}

function followReading(known: StoredOdometer | null, reading: Pick<ReadingBase, 'at' | 'value'>) {
  const { at, value } = reading;
  if (Number.isNaN(value) || at <= Math.max(known?.base.at ?? -Infinity, known?.next?.at ?? -Infinity)) return known;
  return follow(known, reading, (before) => {
    const step = value - before.value;
    return step >= 0 && step <= STEP_METERS + drivable(at - before.since);
  });
}
