import { beginsTrip, type Engine, engineAfter } from '../geometry/trip-boundary.ts';

import { RecordedTrip } from './rows/recorded-trip.ts';
import { SpillFile } from './rows/spill-file.ts';
import type { ReadOptions } from './rows/read-options.ts';
import type { FileItem, LeftOut, StreamPosition, WholeTrip } from './rows/stream-position.ts';
import { correctedWeeks } from './rows/week-rollover.ts';

/** Limits of a {@link TripCutter}. */
export interface CutterLimits {
  /** Maximum number of positions in memory; the rest is written to a temporary file. */
  readonly heldPositions: number;
  /** Maximum number of positions of a trip; a longer stream without a pause is cut there, which is reported. */
  readonly tripPositions: number;
}

const LIMITS: CutterLimits = { heldPositions: 200_000, tripPositions: 200_000 };

/** A trip, or a part of the file outside any trip. */
export type CutItem = WholeTrip | LeftOut;

/** Cuts the positions among the items of a file into trips; trips that the file marks as whole pass through. */
export async function* cutTrips(
  pieces: AsyncIterable<readonly FileItem[]>,
  { weekRollover }: Pick<ReadOptions, 'weekRollover'> = {},
): AsyncGenerator<CutItem[]> {
  const cutter = new TripCutter(
    {},
    weekRollover === 'correct' ? (time) => correctedWeeks(time, Date.now()) : undefined,
  );
  try {
    for await (const items of pieces) {
      const whole: CutItem[] = [];
      cutter.isNewestFirst ??= isNewestFirst(items);
      for (const item of items) {
        if (item.kind !== 'position') whole.push(item);
        else if (!cutter.add(item)) whole.push({ kind: 'left_out', fault: 'engine_off', line: item.line });
      }
      yield whole.concat(cutter.taken());
    }
    for (const trip of cutter.end()) yield [trip];
  } finally {
    cutter.close();
  }
}

interface Stream {
  engine: Engine;
  /** State of the engine that the file last reported; null if it never did. */
  isEngineOn: boolean | null;
  lastTime: number | null;
  open: RecordedTrip | null;
  marked: Map<string, RecordedTrip> | null;
}

/**
 * Cuts a stream of positions of many vehicles into trips: by the marks of the file if it has any, else as {@link
 * beginsTrip} says. The positions of a vehicle count in the order of the file. A marked trip is complete at the end of
 * the file only, since its mark may come again. Memory holds as many positions as the limits say, and a small record of
 * each vehicle and each marked trip.
 */
export class TripCutter {
  /** True if the latest positions are first, as far as read; null before two positions of a vehicle tell. */
  isNewestFirst: boolean | null = null;
  readonly #limits: CutterLimits;
  readonly #correct: (time: number) => number;
  readonly #file = new SpillFile();
  readonly #streams = new Map<string | null, Stream>();
  /** Trips that may still have positions in memory. */
  #holding = new Set<RecordedTrip>();
  #held = 0;
  readonly #finished: WholeTrip[] = [];

  /** @param correct returns the time that counts for the boundaries of trips */
  constructor(limits: Partial<CutterLimits> = {}, correct = (time: number) => time) {
    this.#limits = { ...LIMITS, ...limits };
    this.#correct = correct;
  }

  /** Takes the next position; false if it belongs to no trip, since the engine is off and no trip is open. */
  add(position: StreamPosition): boolean {
    const stream = this.#streamOf(position.vehicle);
    const events = this.isNewestFirst ? position.events : eventsOf(stream, position);
    if (position.isEngineOn !== null) stream.isEngineOn = position.isEngineOn;
    const { trip } = position;
    const isAdded = trip === null ? this.#cut(stream, position, events) : this.#mark(stream, trip, position, events);
    if (this.#held > this.#limits.heldPositions) this.#spill();
    return isAdded;
  }

  /** The trips that have become complete since the last call. */
  taken(): WholeTrip[] {
    return this.#finished.splice(0);
  }

  /** Ends the stream: yields the trips that are still open, one by one. */
  *end(): Generator<WholeTrip> {
    yield* this.taken();
    for (const [vehicle, { open, marked }] of this.#streams) {
      for (const recorded of marked?.values() ?? []) yield { kind: 'trip', vehicle, recorded };
      if (open) yield { kind: 'trip', vehicle, recorded: open };
      this.#streams.delete(vehicle);
    }
  }

  close(): void {
    this.#file.close();
  }

  #streamOf(vehicle: string | null): Stream {
    const known = this.#streams.get(vehicle);
    const stream = known ?? { engine: 'unknown', isEngineOn: null, lastTime: null, open: null, marked: null };
    if (!known) this.#streams.set(vehicle, stream);
    return stream;
  }

  #cut(stream: Stream, position: StreamPosition, events: readonly string[]): boolean {
    if (position.isEngineOn === false && !events.includes('engine_stop')) return this.#cutBeforeStart(stream, position);
    const time = position.time === null ? null : this.#correct(position.time);
    // Backwards, a trip begins with its last position.
    const boundaries = this.isNewestFirst ? events.map((event) => OPPOSITES[event] ?? event) : events;
    const before = stream.open && { time: stream.lastTime, events: [] };
    if (beginsTrip(before, stream.engine, { time, events: boundaries })) {
      if (stream.open) this.#finish(position.vehicle, stream.open);
      stream.open = new RecordedTrip(position.line);
      const isBack = (time ?? Infinity) < (stream.lastTime ?? -Infinity);
      if (isBack && !this.isNewestFirst) stream.open.report('time_backwards', position.line);
    }
    stream.open = this.#append(position.vehicle, stream.open ?? new RecordedTrip(position.line), position, events);
    stream.engine = position.isEngineOn ? 'on' : engineAfter(stream.engine, boundaries);
    stream.lastTime = time ?? stream.lastTime;
    if (stream.engine === 'off') this.#finishOpen(stream, position);
    return true;
  }

  /** Leaves out a position that the engine's state puts outside of trips. */
  #cutBeforeStart(stream: Stream, position: StreamPosition): false {
    if (this.isNewestFirst) this.#finishOpen(stream, position);
    return false;
  }

  #finishOpen(stream: Stream, { vehicle }: StreamPosition): void {
    if (stream.open) this.#finish(vehicle, stream.open);
    stream.open = null;
  }

  #mark(stream: Stream, mark: string, position: StreamPosition, events: readonly string[]): boolean {
    stream.marked ??= new Map();
    const open = stream.marked.get(mark) ?? new RecordedTrip(position.line);
    stream.marked.set(mark, this.#append(position.vehicle, open, position, events));
    return true;
  }

  /** Adds to a trip, or to a new one if the trip is full. */
  #append(
    vehicle: string | null,
    open: RecordedTrip,
    position: StreamPosition,
    events: readonly string[],
  ): RecordedTrip {
    let recorded = open;
    if (recorded.length >= this.#limits.tripPositions) {
      this.#finish(vehicle, recorded);
      recorded = new RecordedTrip(position.line);
      recorded.report('long_trip', position.line);
    }
    recorded.add(events === position.events ? position : { ...position, events });
    this.#holding.add(recorded);
    this.#held++;
    return recorded;
  }

  #finish(vehicle: string | null, recorded: RecordedTrip): void {
    this.#held -= recorded.rows.held;
    this.#holding.delete(recorded);
    this.#finished.push({ kind: 'trip', vehicle, recorded });
  }

  #spill(): void {
    for (const recorded of this.#holding) recorded.rows.spill(this.#file);
    this.#holding = new Set();
    this.#held = 0;
  }
}

const OPPOSITES: Readonly<Record<string, string>> = { engine_start: 'engine_stop', engine_stop: 'engine_start' };

/** Returns true if no position of a vehicle is later than the one before it, and one is earlier; null if none can be compared. */
function isNewestFirst(items: readonly FileItem[]): boolean | null {
  const last = new Map<string | null, number>();
  let isBack: boolean | null = null;
  for (const item of items) {
    if (item.kind !== 'position' || item.time === null) continue;
    const before = last.get(item.vehicle) ?? item.time;
    if (item.time > before) return false;
    if (item.time < before) isBack = true;
    last.set(item.vehicle, item.time);
  }
  return isBack;
}

/** The events of a position, with those implied by a change of the engine's state. */
function eventsOf(stream: Stream, { isEngineOn, events }: StreamPosition): readonly string[] {
  if (isEngineOn === null || isEngineOn === stream.isEngineOn) return events;
  if (isEngineOn) return stream.isEngineOn === false ? [...events, 'engine_start'] : events;
  return stream.isEngineOn || stream.open ? [...events, 'engine_stop'] : events;
}
