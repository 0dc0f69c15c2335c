import { emptyTripPoints, pickTripPoints, type TripPoints, valuesAt } from '../../../models/trips/trip-points.ts';
import { storedDegrees, storedHeading, storedSpeed } from '../../../models/trips/trip-points-codec.ts';
import { emptyReadings, storedReading } from '../../../models/trips/trip-readings.ts';
import { gaps } from '../../geometry/gaps.ts';
import { JUMP_METERS_PER_SECOND } from '../../geometry/speeds.ts';
import { stepDistances } from '../../geometry/haversine.ts';
import { type ImportFaultKind, LOST_POSITION } from './import-fault.ts';
import { PositionRows, ROW_LENGTH } from './position-rows.ts';
import type { ReadOptions } from './read-options.ts';
import { orderOf } from './row-order.ts';
import type { ReadTime } from './time-reader.ts';
import { isOnEarth } from './values.ts';
import { correctedWeeks, looksRolledOver } from './week-rollover.ts';

/** Duration below which repeated positions count as a vehicle waiting at a crossing. */
const SHORTEST_MS = 10_000;

/** Recorded speed from which a vehicle counts as moving, in meters per second. */
const MOVING_METERS_PER_SECOND = 3;

/**
 * Finds where a receiver repeats one position for 10 s or longer although the vehicle moves, as a recorded speed at
 * each repetition or the jump to the next position shows. Returns the first repetitions. `steps` are in meters.
 */
function findFrozenFixes({ length, time, speed }: TripPoints, steps: Float64Array): number[] {
  const found: number[] = [];
  let from = 0;
  while (from < length - 1) {
    let last = from;
    while (steps[last] === 0) last++;
    const lasted = (time[last] ?? 0) - (time[from] ?? 0);
    if (lasted >= SHORTEST_MS && (isMoving(speed.subarray(from + 1, last + 1)) || jumpsFrom(last, time, steps))) {
      found.push(from + 1);
    }
    from = last + 1;
  }
  return found;
}

function isMoving(speeds: Float64Array): boolean {
  return speeds.every((speed) => speed >= MOVING_METERS_PER_SECOND);
}

function jumpsFrom(at: number, time: Float64Array, steps: Float64Array): boolean {
  const seconds = ((time[at + 1] ?? 0) - (time[at] ?? 0)) / 1000;
  return (steps[at] ?? 0) > JUMP_METERS_PER_SECOND * Math.max(seconds, 1);
}

/** Assumed duration of a step without a positive interval, to tell a jump from noise. */
const SECONDS_WITHOUT_INTERVAL = 1;

/** One position as a file has it. */
export interface RecordedPosition extends ReadTime {
  readonly lat: number;
  readonly lon: number;
  /** Meters per second: null if the file has none, NaN if it has one that cannot be. */
  readonly speed: number | null;
  /** Degrees clockwise from north, from 0 to 360; null and NaN as for the speed. */
  readonly heading: number | null;
  /** Meters; null or omitted if the file has none, NaN as for the speed. */
  readonly odometer?: number | null;
  /** Percent; null, omitted and NaN as for the odometer. */
  readonly fuel_level?: number | null;
  /** Events there, such as `engine_start`. */
  readonly events: readonly string[];
  readonly line: number;
}

/** A trip while it is read from a file: collects positions, then returns them with their faults. */
export class RecordedTrip {
  readonly line: number;
  /** Counts, and the line of the first of each kind. */
  readonly faults = new Map<ImportFaultKind, { count: number; readonly line: number }>();
  readonly rows = new PositionRows();
  /** The distinct lists of events; a row refers to its list by number, from 1. */
  readonly #events: (readonly string[])[] = [];
  #lastLat = Number.NaN;
  #lastLon = Number.NaN;

  constructor(line: number) {
    this.line = line;
  }

  get length(): number {
    return this.rows.length;
  }

  /** Adds a position; one without coordinates or with an unreadable time is dropped, and reported as a fault. */
  add(position: RecordedPosition): void {
    const { lat, lon, time, isZoneMissing, speed, heading, events, line } = position;
    const { odometer = null, fuel_level = null } = position;
    if (!isOnEarth(lat, lon) || time === 'unreadable') {
      this.report(isOnEarth(lat, lon) ? 'bad_time' : 'no_position', line);
      return;
    }
    if (lat === this.#lastLat && lon === this.#lastLon) this.report('repeated_position', line);
    this.#lastLat = lat;
    this.#lastLon = lon;
    if (time === null) this.report('no_time', line);
    if (isZoneMissing) this.report('no_zone', line);
    if (Number.isNaN(speed) || Number.isNaN(heading)) this.report('bad_motion', line);
    if (Number.isNaN(odometer) || Number.isNaN(fuel_level)) this.report('bad_reading', line);
    this.rows.push(
      time ?? Number.NaN,
      storedDegrees(lat),
      storedDegrees(lon),
      speed === null ? Number.NaN : storedSpeed(speed),
      heading === null ? Number.NaN : storedHeading(heading),
      line,
      events.length === 0 ? 0 : this.#numberOf(events),
      odometer === null ? Number.NaN : storedReading('odometer', odometer),
      fuel_level === null ? Number.NaN : storedReading('fuel_level', fuel_level),
    );
  }

  report(kind: ImportFaultKind, line: number): void {
    const met = this.faults.get(kind);
    if (met) met.count++;
    else this.faults.set(kind, { count: 1, line });
  }

  /**
   * The positions, all with a time, in the order of the file or as {@link orderOf} says; null, and a fault, without positions
   * or times, or if the times look 1,024 weeks early and the options do not say what to do.
   */
  finish({ weekRollover }: Pick<ReadOptions, 'weekRollover'> = {}): TripPoints | null {
    const { length } = this;
    const rows = this.rows.all();
    if (length === 0) return this.#reject('empty_trip');
    const points = emptyTripPoints(length);
    const readings = emptyReadings(length);
    const events = new Map<number, readonly string[]>();
    const line = new Float64Array(length);
    for (let i = 0, at = 0; i < length; i++, at += ROW_LENGTH) {
      points.time[i] = rows[at] ?? 0;
      points.lat[i] = rows[at + 1] ?? 0;
      points.lon[i] = rows[at + 2] ?? 0;
      points.speed[i] = rows[at + 3] ?? 0;
      points.heading[i] = rows[at + 4] ?? 0;
      line[i] = rows[at + 5] ?? 0;
      const there = this.#events[(rows[at + 6] ?? 0) - 1];
      if (there) events.set(i, there);
      readings.odometer[i] = rows[at + 7] ?? Number.NaN;
      readings.fuel_level[i] = rows[at + 8] ?? Number.NaN;
    }
    if (points.time.every(Number.isNaN)) return this.#reject('untimed_trip');
    if (weekRollover !== 'keep' && !this.#correctWeeks(points.time, line, weekRollover === 'correct')) {
      return this.#reject('week_rollover');
    }
    const isRead = [readings.odometer, readings.fuel_level].some((column) => !column.every(Number.isNaN));
    return this.#inOrder({ ...points, events, ...(isRead && { readings }) }, line);
  }

  /** Corrects times that look 1,024 weeks early; returns false if there are any and they are not to be corrected. */
  #correctWeeks(time: Float64Array, line: Float64Array, isToCorrect: boolean): boolean {
    const now = Date.now();
    if (!isToCorrect) return !time.some((here) => looksRolledOver(here, now));
    for (const [i, here] of time.entries()) {
      const corrected = correctedWeeks(here, now);
      if (corrected > here) this.report('corrected_week', line[i] ?? this.line);
      time[i] = corrected;
    }
    return true;
  }

  #inOrder(read: TripPoints, line: Float64Array): TripPoints {
    const order = orderOf(read);
    for (const row of order?.repeated ?? []) this.report('repeated_part', line[row] ?? this.line);
    if (order?.isSorted) this.report('sorted', this.line);
    const points = order ? pickTripPoints(read, order.rows) : read;
    fillMissing(points.time);
    this.#examine(points, order ? valuesAt(line, order.rows) : line);
    return points;
  }

  #examine(points: TripPoints, line: Float64Array): void {
    const { length, time } = points;
    const lineOf = (at: number) => line[at] ?? this.line;
    const steps = stepDistances(points);
    const now = Date.now();
    if (length === 1) this.report('one_point', lineOf(0));
    for (let i = 0; i < length; i++) if ((time[i] ?? 0) > now) this.report('in_future', lineOf(i));
    for (let i = 1; i < length; i++) {
      const interval = ((time[i] ?? 0) - (time[i - 1] ?? 0)) / 1000;
      if (interval === 0) this.report('repeated_time', lineOf(i));
      if (interval < 0) this.report('time_backwards', lineOf(i));
      const seconds = interval > 0 ? interval : SECONDS_WITHOUT_INTERVAL;
      if ((steps[i - 1] ?? 0) / seconds > JUMP_METERS_PER_SECOND) this.report('jump', lineOf(i));
    }
    let at = 1;
    for (const { ended } of gaps(time, steps)) {
      at = time.indexOf(ended.getTime(), at);
      this.report('gap', lineOf(at));
    }
    for (const first of findFrozenFixes(points, steps)) this.report('frozen_fix', lineOf(first));
  }

  #reject(kind: ImportFaultKind): null {
    for (const fault of this.faults.keys()) if (!LOST_POSITION.has(fault)) this.faults.delete(fault);
    this.report(kind, this.line);
    return null;
  }

  #numberOf(events: readonly string[]): number {
    const known = this.#events.findIndex(
      (list) => list.length === events.length && list.every((event, i) => event === events[i]),
    );
    return known >= 0 ? known + 1 : this.#events.push(events);
  }
}

/** Assigns times to positions without one: evenly between neighbors that have one; at the ends, that of the nearest. */
function fillMissing(time: Float64Array): void {
  let known = -1;
  for (let i = 0; i <= time.length; i++) {
    const here = time[i];
    if (here !== undefined && Number.isNaN(here)) continue;
    const before = time[known] ?? here ?? 0;
    const after = here ?? before;
    for (let gap = known + 1; gap < i; gap++) {
      time[gap] = Math.round(before + ((after - before) * (gap - known)) / (i - known));
    }
    known = i;
  }
}
