import type { TripPoints } from '../../../models/trips/trip-points.ts';
import { stepDistances } from '../../geometry/haversine.ts';

/** Positions of a trip, as a file has them; times may be NaN. */
type Columns = Pick<TripPoints, 'length' | 'time' | 'lat' | 'lon'>;

/** The order in which the positions of a trip are taken. */
export interface RowOrder {
  /** Places of the positions that are taken. */
  readonly rows: readonly number[];
  /** Places of those that repeat earlier ones. */
  readonly repeated: readonly number[];
  /** True if the order is not that of the file. */
  readonly isSorted: boolean;
}

/**
 * Finds the order of a trip whose times run backwards: without positions that repeat earlier ones, as in files of which each
 * segment repeats the one before, and sorted if the file is newest first, or consists of parts that do not overlap in time and
 * are nearer to each other when sorted. Returns null for the order of the file.
 */
export function orderOf(points: Columns): RowOrder | null {
  const since = earliestRepetition(points.time);
  if (since === Infinity) return null;
  if (isNewestFirst(points.time)) {
    return { rows: Array.from(points.time, (_, i) => points.length - 1 - i), repeated: [], isSorted: true };
  }
  const { rows, repeated } = withoutRepetitions(points, since);
  const sorted = sort(points, rows);
  if (!sorted && repeated.length === 0) return null;
  return { rows: sorted ?? rows, repeated, isSorted: sorted !== null };
}

/** The earliest time that is before an earlier one in the file; Infinity if times do not run backwards. */
function earliestRepetition(time: Float64Array): number {
  let latest = -Infinity;
  let earliest = Infinity;
  for (const here of time) {
    if (here < latest) earliest = Math.min(earliest, here);
    else if (here > latest) latest = here;
  }
  return earliest;
}

function isNewestFirst(time: Float64Array): boolean {
  const timed = time.filter((here) => !Number.isNaN(here));
  return timed.every((here, i) => i === 0 || here <= (timed[i - 1] ?? here));
}

/** Drops positions that are not later than all before them, and have the time and the place of one of these. */
function withoutRepetitions(points: Columns, since: number): Pick<RowOrder, 'rows' | 'repeated'> {
  const { length, time, lat, lon } = points;
  const rows: number[] = [];
  const repeated: number[] = [];
  const seen = new Set<string>();
  let latest = -Infinity;
  for (let i = 0; i < length; i++) {
    const here = time[i] ?? Number.NaN;
    const name = here >= since ? `${here} ${lat[i]} ${lon[i]}` : '';
    const isAgain = here < latest || (here === latest && repeated.at(-1) === i - 1);
    if (isAgain && seen.has(name)) {
      repeated.push(i);
      continue;
    }
    rows.push(i);
    if (here >= since) seen.add(name);
    if (here > latest) latest = here;
  }
  return { rows, repeated };
}

function sort(points: Columns, rows: readonly number[]): readonly number[] | null {
  const runs = runsOf(points.time, rows);
  if (runs.length === 1) return null;
  const sorted = runs.toSorted((one, other) => one.start - other.start);
  if (sorted.some(({ start }, i) => start < (sorted[i - 1]?.end ?? start))) return null;
  const joined = sorted.flatMap((run) => run.rows);
  return lengthOf(points, joined) <= lengthOf(points, rows) ? joined : null;
}

interface Run {
  readonly start: number;
  end: number;
  readonly rows: number[];
}

/** Runs of rows whose times do not run backwards. */
function runsOf(time: Float64Array, rows: readonly number[]): readonly Run[] {
  const runs: Run[] = [];
  for (const row of rows) {
    const here = time[row] ?? Number.NaN;
    const run = runs.at(-1);
    if (!run || here < run.end) runs.push({ start: here, end: here, rows: [row] });
    else {
      run.rows.push(row);
      if (!Number.isNaN(here)) run.end = here;
    }
  }
  return runs;
}

/** Length of the way along rows, in meters. */
function lengthOf({ lat, lon }: Columns, rows: readonly number[]): number {
  const of = (column: Float64Array) => Float64Array.from(rows, (row) => column[row] ?? Number.NaN);
  return stepDistances({ length: rows.length, lat: of(lat), lon: of(lon) }).reduce((sum, step) => sum + step, 0);
}
