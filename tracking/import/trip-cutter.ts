import { finishInSlices, type Steps } from '../scheduling/steps.ts';
import { TimeSlice } from '../scheduling/time-slice.ts';
import { type CutItem, type CutOptions, cutBegunStream, cutStream, cutTrack, wholeTrip } from './cut-track.ts';
import { RecordedTrip } from './rows/recorded-trip.ts';
import { SpillFile } from './rows/spill-file.ts';
import type { FileItem, StreamPosition } from './rows/stream-position.ts';
import { correctedWeeks } from './rows/week-rollover.ts';

/** Limits of memory of a {@link TripCutter}. */
export interface CutterMemory {
  /** Maximum number of positions in memory; the rest is written to a temporary file. */
  readonly heldPositions: number;
  /** Number of positions after which a stream is cut that has no pause; a longer trip is cut there, which is reported. */
  readonly tripPositions: number;
}

const MEMORY: CutterMemory = { heldPositions: 200_000, tripPositions: 200_000 };

/** Cuts the tracks and the positions among the items of a file into trips; trips that the file marks as whole pass through. */
export async function* cutTrips(
  pieces: AsyncIterable<readonly FileItem[]>,
  options: CutOptions,
): AsyncGenerator<CutItem[]> {
  const cutter = new TripCutter(options);
  const slice = new TimeSlice();
  try {
    for await (const items of pieces) {
      const cut: CutItem[] = [];
      cutter.isNewestFirst ??= isNewestFirst(items);
      for (const item of items) {
        if (item.kind === 'left_out') cut.push(item);
        else if (item.kind === 'position') {
          for (const _step of cutter.add(item)) if (slice.isOver()) await slice.next();
        } else if (item.kind === 'trip') cut.push(wholeTrip(item, options));
        else cut.push(...(await finishInSlices(slice, cutTrack(item, options))));
      }
      yield cut.concat(cutter.taken());
    }
    for (const items of cutter.end()) {
      if (items) yield items;
      else if (slice.isOver()) await slice.next();
    }
  } finally {
    cutter.close();
  }
}

interface Stream {
  readonly vehicle: string | null;
  lastTime: number | null;
  open: RecordedTrip | null;
  readonly marked: Map<string, RecordedTrip>;
}

/**
 * Collects the positions of many vehicles in a stream, and cuts them into trips: those that the file marks as one trip are one;
 * the others of a vehicle are recordings, between which is a time that ends any trip. They are in the order of the file. A
 * marked trip is complete at the end of the file only, since its mark may come again. Memory holds as many positions as it may,
 * and a small record of each vehicle and each marked trip.
 */
export class TripCutter {
  /** True if the latest positions are first, as far as read; null before two positions of a vehicle tell. */
  isNewestFirst: boolean | null = null;
  readonly #options: CutOptions;
  readonly #memory: CutterMemory;
  readonly #file = new SpillFile();
  readonly #streams = new Map<string | null, Stream>();
  /** Trips that may still have positions in memory. */
  #holding = new Set<RecordedTrip>();
  #held = 0;
  readonly #finished: CutItem[] = [];

  constructor(options: CutOptions, memory: Partial<CutterMemory> = {}) {
    this.#options = options;
    this.#memory = { ...MEMORY, ...memory };
  }

  /** Adds a position, in steps if trips are complete then. */
  *add(position: StreamPosition): Steps<void> {
    const stream = this.#streamOf(position.vehicle);
    if (position.trip === null) yield* this.#record(stream, position);
    else this.#mark(stream, position.trip, position);
    if (this.#held > this.#memory.heldPositions) this.#spill();
  }

  /** Items that have become complete since the last call. */
  taken(): CutItem[] {
    return this.#finished.splice(0);
  }

  /** Ends the stream: yields what is still open, one recording after the other, and nothing after each step of the work. */
  *end(): Generator<CutItem[] | undefined, void, void> {
    yield this.taken();
    for (const [vehicle, { open, marked }] of this.#streams) {
      for (const recorded of marked.values()) yield [wholeTrip({ vehicle, recorded }, this.#options)];
      if (open) yield* thenItems(cutStream({ vehicle, recorded: open }, this.#options));
      this.#streams.delete(vehicle);
    }
  }

  close(): void {
    this.#file.close();
  }

  #streamOf(vehicle: string | null): Stream {
    const known = this.#streams.get(vehicle);
    const stream = known ?? { vehicle, lastTime: null, open: null, marked: new Map() };
    if (!known) this.#streams.set(vehicle, stream);
    return stream;
  }

  *#record(stream: Stream, position: StreamPosition): Steps<void> {
    const { read, limits } = this.#options;
    const { time: written, line } = position;
    const time = written !== null && read.weekRollover === 'correct' ? correctedWeeks(written, Date.now()) : written;
    const since = time === null || stream.lastTime === null ? 0 : time - stream.lastTime;
    const isApart = Math.abs(since) >= (limits.sparse_gap ?? limits.gap);
    if (stream.open && isApart) yield* this.#finish(stream, stream.open);
    if (stream.open && stream.open.length >= this.#memory.tripPositions) {
      yield* this.#cutBegun(stream, stream.open, line);
    }
    stream.open ??= new RecordedTrip(line);
    if (isApart && since < 0 && !this.isNewestFirst) stream.open.report('time_backwards', line);
    this.#append(stream.open, position);
    stream.lastTime = time ?? stream.lastTime;
  }

  *#finish(stream: Stream, recorded: RecordedTrip): Steps<void> {
    this.#release(recorded);
    this.#finished.push(...(yield* cutStream({ vehicle: stream.vehicle, recorded }, this.#options)));
    stream.open = null;
  }

  /** Cuts a recording that has as many positions as a trip may have, before a line of the file. */
  *#cutBegun(stream: Stream, recorded: RecordedTrip, line: number): Steps<void> {
    const begun = yield* cutBegunStream(
      { vehicle: stream.vehicle, recorded },
      this.#options,
      this.isNewestFirst === true,
    );
    if (!begun) {
      yield* this.#finish(stream, recorded);
      stream.open = new RecordedTrip(line);
      stream.open.report('long_trip', line);
      return;
    }
    this.#release(recorded);
    this.#finished.push(...begun.items);
    stream.open = begun.rest;
    this.#hold(begun.rest, begun.rest.length);
  }

  #mark(stream: Stream, mark: string, position: StreamPosition): void {
    let recorded = stream.marked.get(mark) ?? new RecordedTrip(position.line);
    if (recorded.length >= this.#memory.tripPositions) {
      this.#release(recorded);
      this.#finished.push(wholeTrip({ vehicle: stream.vehicle, recorded }, this.#options));
      recorded = new RecordedTrip(position.line);
      recorded.report('long_trip', position.line);
    }
    stream.marked.set(mark, recorded);
    this.#append(recorded, position);
  }

  #append(recorded: RecordedTrip, position: StreamPosition): void {
    recorded.add(position);
    this.#hold(recorded, 1);
  }

  #hold(recorded: RecordedTrip, positions: number): void {
    this.#holding.add(recorded);
    this.#held += positions;
  }

  #release(recorded: RecordedTrip): void {
    this.#held -= recorded.rows.held;
    this.#holding.delete(recorded);
  }

  #spill(): void {
    for (const recorded of this.#holding) recorded.rows.spill(this.#file);
    this.#holding = new Set();
    this.#held = 0;
  }
}

/** Yields nothing after each step, and then the result. */
function* thenItems(steps: Steps<CutItem[]>): Generator<CutItem[] | undefined, void, void> {
  for (;;) {
    const { done, value } = steps.next();
    yield value ?? undefined;
    if (done) return;
  }
}

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
