import { emptyTripPoints, pickTripPoints, type TripPoints, valuesAt } from '../../../models/trips/trip-points.ts';
import { storedDegrees, storedHeading, storedSpeed } from '../../../models/trips/trip-points-codec.ts';
import { emptyReadings, storedReading } from '../../../models/trips/trip-readings.ts';
import { examinePositions } from './examine-positions.ts';
import { FaultCounts } from '../faults/fault-counts.ts';
import { type ImportFaultKind, LOST_POSITION } from '../faults/import-fault.ts';
import { PositionRows, ROW_LENGTH } from './position-rows.ts';
import type { ReadOptions } from './read-options.ts';
import { orderOf } from './row-order.ts';
import type { ReadTime } from './time-reader.ts';
import { isOnEarth } from './values.ts';
import { correctedWeeks, looksRolledOver } from './week-rollover.ts';

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
  /** True if the engine runs; null or omitted if the file does not say. */
  readonly isEngineOn?: boolean | null;
  /** Events there, such as `engine_start`. */
  readonly events: readonly string[];
  readonly line: number;
}

/** Positions as they were read, each with its line of the file, and its number in the order of the file. */
export interface ReadPositions {
  readonly points: TripPoints;
  readonly line: Float64Array;
  readonly row: Float64Array;
}

/** A trip or a recording while it is read from a file: collects positions, then returns them with their faults. */
export class RecordedTrip extends FaultCounts {
  readonly line: number;
  readonly rows = new PositionRows();
  /** The distinct lists of events; a row refers to its list by number, from 1. */
  readonly #events: (readonly string[])[] = [];
  #lastLat = Number.NaN;
  #lastLon = Number.NaN;

  constructor(line: number) {
    super();
    this.line = line;
  }

  get length(): number {
    return this.rows.length;
  }

  /** Adds a position; one without coordinates or with an unreadable time is dropped, and reported as a fault. */
  add(position: RecordedPosition): void {
    const { lat, lon, time, isZoneMissing, speed, heading, events, line } = position;
    const { odometer = null, fuel_level = null, isEngineOn = null } = position;
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
      isEngineOn === null ? Number.NaN : Number(isEngineOn),
    );
  }

  /** Begins another one with the positions from a number on, in the order of the file. */
  restFrom(row: number): RecordedTrip {
    const rows = this.rows.all().subarray(row * ROW_LENGTH);
    const rest = new RecordedTrip(rows[5] ?? this.line);
    rest.rows.append(rows);
    rest.#events.push(...this.#events);
    return rest;
  }

  /** The positions of a trip, as {@link read} returns them, with faults where they are implausible. */
  finish(options: Pick<ReadOptions, 'weekRollover'> = {}): TripPoints | null {
    const read = this.read(options);
    if (read) examinePositions(read.points, read.line, this);
    return read?.points ?? null;
  }

  /**
   * The positions, all with a time, in the order of the file or as {@link orderOf} says; null, and a fault, without positions
   * or times, or if the times look 1,024 weeks early and the options do not say what to do.
   */
  read({ weekRollover }: Pick<ReadOptions, 'weekRollover'>): ReadPositions | null {
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
      readings.ignition[i] = rows[at + 9] ?? Number.NaN;
    }
    if (points.time.every(Number.isNaN)) return this.#reject('untimed_trip');
    if (weekRollover !== 'keep' && !this.#correctWeeks(points.time, line, weekRollover === 'correct')) {
      return this.#reject('week_rollover');
    }
    const { odometer, fuel_level, ignition } = readings;
    const isRead = [odometer, fuel_level, ignition].some((column) => !column.every(Number.isNaN));
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

  #inOrder(read: TripPoints, line: Float64Array): ReadPositions {
    const order = orderOf(read);
    for (const row of order?.repeated ?? []) this.report('repeated_part', line[row] ?? this.line);
    if (order?.isSorted) this.report('sorted', this.line);
    const row = Float64Array.from(order?.rows ?? line.keys());
    const points = order ? pickTripPoints(read, row) : read;
    fillMissing(points.time);
    return { points, line: valuesAt(line, row), row };
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
