import { hasNoPlace } from './position-marks.ts';
import { emptyReadings, mapReadings, READINGS, type TripReadings } from './trip-readings.ts';

/**
 * The positions of a trip, in the order in which they were recorded, as columns: number `i` of each column belongs to
 * position `i`. Thousands of positions are read at once, so objects are created only for output.
 */
export interface TripPoints {
  readonly length: number;
  /** Milliseconds since 1970 (UTC). */
  readonly time: Float64Array;
  /** Degrees, multiples of 1e-7. */
  readonly lat: Float64Array;
  /** Degrees, multiples of 1e-7. */
  readonly lon: Float64Array;
  /** Metres per second, multiples of 0.01; NaN if none was recorded. */
  readonly speed: Float64Array;
  /** Degrees clockwise from north, multiples of 0.1; NaN if none was recorded. */
  readonly heading: Float64Array;
  /** Events at a position, by its number. */
  readonly events: ReadonlyMap<number, readonly string[]>;
  /** Absent if no position has any: few recordings have them, and they double the number of columns. */
  readonly readings?: TripReadings;
}

/** Makes columns for `length` positions, to be filled. */
export function emptyTripPoints(length: number): TripPoints {
  // Memory for all columns is reserved at once, which takes half the time.
  const memory = new ArrayBuffer(5 * length * Float64Array.BYTES_PER_ELEMENT);
  const column = (number: number) => new Float64Array(memory, number * length * Float64Array.BYTES_PER_ELEMENT, length);
  return {
    length,
    time: column(0),
    lat: column(1),
    lon: column(2),
    speed: column(3).fill(Number.NaN),
    heading: column(4).fill(Number.NaN),
    events: new Map(),
  };
}

/** The values of a column with the given numbers, in that order. */
export function valuesAt(column: Float64Array, numbers: ArrayLike<number>): Float64Array {
  const values = new Float64Array(numbers.length);
  for (let i = 0; i < values.length; i++) values[i] = column[numbers[i] ?? -1] ?? Number.NaN;
  return values;
}

/** The positions with the given numbers, in that order. */
export function pickTripPoints(points: TripPoints, numbers: ArrayLike<number>): TripPoints {
  const events = new Map<number, readonly string[]>();
  for (let i = 0; i < numbers.length; i++) {
    const there = points.events.get(numbers[i] ?? -1);
    if (there) events.set(i, there);
  }
  return {
    length: numbers.length,
    time: valuesAt(points.time, numbers),
    lat: valuesAt(points.lat, numbers),
    lon: valuesAt(points.lon, numbers),
    speed: valuesAt(points.speed, numbers),
    heading: valuesAt(points.heading, numbers),
    events,
    ...(points.readings && { readings: mapReadings(points.readings, (column) => valuesAt(column, numbers)) }),
  };
}

/** Appends columns to columns. */
export function joinTripPoints(parts: readonly TripPoints[]): TripPoints {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const joined = emptyTripPoints(parts.reduce((sum, part) => sum + part.length, 0));
  const events = new Map<number, readonly string[]>();
  let at = 0;
  for (const part of parts) {
    for (const column of ['time', 'lat', 'lon', 'speed', 'heading'] as const) joined[column].set(part[column], at);
    for (const [number, there] of part.events) events.set(at + number, there);
    at += part.length;
  }
  const readings = joinReadings(parts, joined.length);
  return { ...joined, events, ...(readings && { readings }) };
}

function joinReadings(parts: readonly TripPoints[], length: number): TripReadings | null {
  if (parts.every(({ readings }) => readings === undefined)) return null;
  const joined = emptyReadings(length);
  let at = 0;
  for (const { readings, length: partLength } of parts) {
    if (readings) for (const { name } of READINGS) joined[name].set(readings[name], at);
    at += partLength;
  }
  return joined;
}

/**
 * Merges positions by time, each time once: its place is from the first part that has a believed one, its events are from all of
 * them, and each reading from the first part that has it.
 */
export function mergeTripPoints(parts: readonly TripPoints[]): TripPoints {
  const all = joinTripPoints(parts);
  if (isInOrder(all.time)) return all;
  const order = Array.from({ length: all.length }, (_, at) => at);
  order.sort((a, b) => (all.time[a] ?? 0) - (all.time[b] ?? 0) || a - b);
  const groups: number[][] = [];
  for (const at of order) {
    const group = groups.at(-1);
    if (group && all.time[group[0] ?? -1] === all.time[at]) group.push(at);
    else groups.push([at]);
  }
  const places = groups.map((group) => group.find((at) => !hasNoPlace(all.events.get(at))) ?? group[0] ?? -1);
  const events = new Map<number, readonly string[]>();
  const merged = pickTripPoints(all, places);
  for (const [number, group] of groups.entries()) {
    const isPlaced = !hasNoPlace(all.events.get(places[number] ?? -1));
    const there = new Set(
      group.flatMap((at) => (all.events.get(at) ?? []).filter((one) => !isPlaced || !hasNoPlace([one]))),
    );
    if (there.size > 0) events.set(number, [...there]);
    if (merged.readings && group.length > 1) mergeReadings(merged.readings, number, all, group);
  }
  return { ...merged, events };
}

function mergeReadings(merged: TripReadings, number: number, { readings }: TripPoints, group: readonly number[]): void {
  for (const { name } of READINGS) {
    const read = group.find((at) => !Number.isNaN(readings?.[name][at] ?? Number.NaN));
    merged[name][number] = readings?.[name][read ?? -1] ?? Number.NaN;
  }
}

/** Returns the positions in `[from, until)`, of positions in the order of their times. */
export function pointsBetween(points: TripPoints, from: number, until: number): TripPoints {
  const inside: number[] = [];
  for (const [at, time] of points.time.entries()) if (time >= from && time < until) inside.push(at);
  return inside.length === points.length ? points : pickTripPoints(points, inside);
}

/** The numbers of the positions whose places are believed. */
export function placedNumbers({ time, events }: TripPoints): number[] {
  return [...time.keys()].filter((at) => !hasNoPlace(events.get(at)));
}

/** The positions whose places are believed. */
export function placedPoints(points: TripPoints): TripPoints {
  if (![...points.events.values()].some(hasNoPlace)) return points;
  return pickTripPoints(points, placedNumbers(points));
}

function isInOrder(time: Float64Array): boolean {
  for (let at = 1; at < time.length; at++) if (!((time[at - 1] ?? 0) < (time[at] ?? 0))) return false;
  return true;
}
