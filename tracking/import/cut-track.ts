import { pickTripPoints, type TripPoints, valuesAt } from '../../models/trips/trip-points.ts';
import type { TripLimits } from '../../models/trips/trip-limits.ts';
import { type CutRecording, cuttingSteps } from '../trips/cut-recording.ts';

import type { Steps } from '../scheduling/steps.ts';

import { FaultCounts } from './faults/fault-counts.ts';
import { LOST_POSITION } from './faults/import-fault.ts';
import { examinePositions } from './rows/examine-positions.ts';
import type { ReadOptions } from './rows/read-options.ts';
import type { ReadPositions, RecordedTrip } from './rows/recorded-trip.ts';
import type { LeftOut } from './rows/stream-position.ts';

/** Share of a recording that is complete when it is cut, so that no position is cut many times. */
const LEAST_COMPLETE = 1 / 8;

/** A trip of a file. */
export interface FileTrip {
  readonly kind: 'trip';
  /** Name of the vehicle in the file; null if the file has a single vehicle. */
  readonly vehicle: string | null;
  readonly line: number;
  /** Null for a trip that cannot be imported, as its faults say. */
  readonly points: TripPoints | null;
  readonly faults: FaultCounts;
}

/** A trip, or a part of the file outside any trip. */
export type CutItem = FileTrip | LeftOut;

/** Positions of one vehicle that are one recording in a file. */
export interface Recording {
  readonly vehicle: string | null;
  readonly recorded: RecordedTrip;
}

/** Options by which recordings are read and cut. */
export interface CutOptions {
  readonly read: Pick<ReadOptions, 'weekRollover'>;
  /** Limits by which trips begin and end. */
  readonly limits: TripLimits;
}

/** A trip that a file marks as whole, which is never cut. */
export function wholeTrip({ vehicle, recorded }: Recording, { read }: CutOptions): FileTrip {
  return { kind: 'trip', vehicle, line: recorded.line, points: recorded.finish(read), faults: recorded };
}

/**
 * Cuts a track into trips, as positions are cut that a device sends. Someone has begun and ended a track, so if it has no trip
 * only because its drives are shorter than the minimum of a trip, they are trips.
 */
export function cutTrack(track: Recording, options: CutOptions): Steps<CutItem[]> {
  return cutWhole(track, options, true);
}

/** Cuts the positions of a vehicle in a stream into trips, as positions are cut that a device sends. */
export function cutStream(stream: Recording, options: CutOptions): Steps<CutItem[]> {
  return cutWhole(stream, options, false);
}

/**
 * Cuts a stream of which more will follow: returns the trips that are complete, and the rest of the recording, from the
 * beginning of the last trip on. Null if hardly anything is complete: the recording is one trip, or the vehicle stands.
 */
export function* cutBegunStream(
  stream: Recording,
  options: CutOptions,
  isNewestFirst: boolean,
): Steps<{ readonly items: CutItem[]; readonly rest: RecordedTrip } | null> {
  const read = inOrder(stream.recorded, options);
  if (!read) return null;
  const cut = yield* cuttingSteps(read.points, options.limits);
  // Of a file with the newest positions first, the rest comes before the second trip.
  const [border] = (isNewestFirst ? cut.spans[1] : cut.spans.at(-1)) ?? [];
  if (border === undefined) return null;
  const row = (read.row[border] ?? 0) + (isNewestFirst ? 1 : 0);
  if (row < stream.recorded.length * LEAST_COMPLETE) return null;
  const { length } = read.points;
  const part = isNewestFirst ? { from: border, until: length } : { from: 0, until: border };
  const rest = stream.recorded.restFrom(row);
  return { items: yield* itemsOf(stream, read, cut, options.limits, part, false), rest };
}

function* cutWhole(track: Recording, options: CutOptions, isTrack: boolean): Steps<CutItem[]> {
  const { vehicle, recorded } = track;
  const read = inOrder(recorded, options);
  if (!read) return [{ kind: 'trip', vehicle, line: recorded.line, points: null, faults: recorded }];
  const all = { from: 0, until: read.points.length };
  return yield* itemsOf(track, read, yield* cuttingSteps(read.points, options.limits), options.limits, all, isTrack);
}

/** The positions in the order of their times, as they would be recorded. */
function inOrder(recorded: RecordedTrip, options: CutOptions): ReadPositions | null {
  const read = recorded.read(options.read);
  if (!read) return null;
  const { time } = read.points;
  const backwards = [...time.keys()].filter((at) => at > 0 && (time[at] ?? 0) < (time[at - 1] ?? 0));
  if (backwards.length === 0) return read;
  for (const at of backwards) recorded.report('time_backwards', read.line[at] ?? recorded.line);
  const order = [...time.keys()].sort((one, other) => (time[one] ?? 0) - (time[other] ?? 0) || one - other);
  return {
    points: pickTripPoints(read.points, order),
    line: valuesAt(read.line, order),
    row: valuesAt(read.row, order),
  };
}

interface Part {
  readonly from: number;
  readonly until: number;
}

type Span = CutRecording['spans'][number];

/** The trips in a part of a recording, and what is outside of them. */
function* itemsOf(
  { vehicle, recorded }: Recording,
  read: ReadPositions,
  cut: CutRecording,
  limits: TripLimits,
  part: Part,
  isTrack: boolean,
): Steps<CutItem[]> {
  const spans = cut.spans.filter((span) => isIn(span, part));
  const covered = spans.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const short = covered === part.until - part.from ? null : yield* shortDrives(read.points, limits, spans, part);
  const isShortTrack = isTrack && spans.length === 0 && short !== null && short.spans.length > 0;
  const taken = isShortTrack ? short : { pieces: cut.pieces.filter((_, at) => isIn(cut.spans[at], part)), spans };
  const trips = taken.pieces.map(({ points }, at): CutTrip => {
    const lines = linesOf(points, taken.spans[at] ?? [0, 0], read);
    return { kind: 'trip', vehicle, line: lines[0] ?? recorded.line, points, lines, faults: new FaultCounts() };
  });
  const lost = assignFaults(recorded, trips);
  for (const { points, lines, line, faults } of trips) {
    examinePositions(points, lines, faults);
    if (isShortTrack) faults.report('short_track', line);
    yield;
  }
  const skipped = isShortTrack ? [] : (short?.spans ?? []);
  return [...trips, ...outside(read, taken, skipped, part), ...lost];
}

function isIn(span: Span | undefined, { from, until }: Part): boolean {
  return span !== undefined && span[0] >= from && span[1] < until;
}

/** Drives that are no trips because they are too short. */
function* shortDrives(points: TripPoints, limits: TripLimits, trips: readonly Span[], part: Part) {
  const { pieces, spans } = yield* cuttingSteps(points, { ...limits, minimum_meters: 0, minimum_time: 0 });
  const isShort = (span: Span | undefined) =>
    isIn(span, part) && !trips.some(([first, last]) => first <= (span?.[1] ?? 0) && last >= (span?.[0] ?? 0));
  return { pieces: pieces.filter((_, at) => isShort(spans[at])), spans: spans.filter(isShort) };
}

/** Lines of the positions of a trip in the span of a recording, of which some may be omitted. */
function linesOf({ length, time, lat, lon }: TripPoints, [first]: Span, { points, line }: ReadPositions): Float64Array {
  const lines = new Float64Array(length);
  let from = first;
  for (let at = 0; at < length; at++) {
    const isOther = () =>
      points.time[from] !== time[at] || points.lat[from] !== lat[at] || points.lon[from] !== lon[at];
    while (from < points.length && isOther()) from++;
    lines[at] = line[from++] ?? 0;
  }
  return lines;
}

/** Positions of a part that are in no trip: where the vehicle stood, drove too short a way, or cannot have been. */
function outside(
  { line }: ReadPositions,
  { pieces, spans }: Pick<CutRecording, 'pieces' | 'spans'>,
  short: readonly Span[],
  { from, until }: Part,
): LeftOut[] {
  const counts = new FaultCounts();
  for (const [at, [first, last]] of spans.entries()) {
    const strays = last - first + 1 - (pieces[at]?.points.length ?? 0);
    if (strays > 0) counts.report('stray', line[first] ?? 0, strays);
  }
  for (const [first] of short) counts.report('short_drive', line[first] ?? 0);
  const isInside = new Uint8Array(until);
  for (const [first, last] of [...spans, ...short]) isInside.fill(1, first, last + 1);
  for (let at = from; at < until; at++) if (!isInside[at]) counts.report('standing', line[at] ?? 0);
  return [...counts.faults].map(([fault, counted]) => ({ kind: 'left_out', fault, ...counted }));
}

/** A trip that was cut out of a recording, with the lines of its positions. */
interface CutTrip extends FileTrip {
  readonly points: TripPoints;
  readonly lines: Float64Array;
}

/**
 * Reports the faults of a recording with the trips that contain the first of each. Those without a trip are left out; nothing is
 * to be said of implausible positions that are not imported.
 */
function assignFaults({ faults }: RecordedTrip, trips: readonly CutTrip[]): LeftOut[] {
  const leftOut: LeftOut[] = [];
  for (const [fault, { count, line }] of faults) {
    const trip = trips.find(({ lines }) => isAmong(line, lines)) ?? trips[0];
    if (trip) trip.faults.report(fault, line, count);
    else if (LOST_POSITION.has(fault)) leftOut.push({ kind: 'left_out', fault, line, count });
  }
  return leftOut;
}

function isAmong(line: number, lines: Float64Array): boolean {
  const [first = 0, last = 0] = [lines[0], lines[lines.length - 1]];
  return line >= Math.min(first, last) && line <= Math.max(first, last);
}
