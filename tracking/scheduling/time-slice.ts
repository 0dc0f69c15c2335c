/** Maximum time that a request computes in a turn of the event loop before others run, in milliseconds. */
const SLICE_MS = 2;

/** Requests that wait for their turn of the event loop. */
const waiting: (() => void)[] = [];

/** Resolves in a later turn of the event loop, each waiting request in a separate one: other work runs between them. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(grantTurn);
  });
}

function grantTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(grantTurn);
}

/**
 * The time for which a request may compute in a turn of the event loop. Work on a long list checks before each item, and
 * waits if the time is over, so that no request delays the others, however long its list.
 */
export class TimeSlice {
  /** Time at which the slice began in this turn of the event loop; null if it has not. */
  #began: number | null = null;
  /** Callers that wait to continue; the last one is next. */
  readonly #waiting: (() => void)[] = [];
  /** Callers that have come since one went on, in their order. */
  #arrived: (() => void)[] = [];
  #isGoingOn = false;

  /** True while callers wait to continue. */
  get isWaitedFor(): boolean {
    return this.#isGoingOn;
  }

  /** Returns true if the request has computed for as long as it may in this turn. */
  isOver(): boolean {
    if (this.#began !== null) return performance.now() - this.#began > SLICE_MS;
    this.#begin();
    return false;
  }

  #begin(): void {
    this.#began = performance.now();
    setImmediate(() => {
      this.#began = null;
    });
  }

  /**
   * Resolves when the request may compute again. Callers continue one after the other, in the order in which they would run
   * without waiting: callers woken by the running one go ahead of those already queued.
   */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#arrived.push(resolve);
      if (!this.#isGoingOn) void this.#goOn();
    });
  }

  async #goOn(): Promise<void> {
    this.#isGoingOn = true;
    for (;;) {
      await microtasksDone();
      for (const caller of this.#arrived.reverse()) this.#waiting.push(caller);
      this.#arrived = [];
      const next = this.#waiting.pop();
      if (!next) break;
      if (this.isOver()) {
        await nextTurn();
        this.#begin();
      }
      next();
    }
    this.#isGoingOn = false;
  }
}

/** Resolves after earlier resolved callers have done all their work of this turn. */
function microtasksDone(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/** Runs work on each item of a list, in time slices. */
export async function forEachInSlices<T>(slice: TimeSlice, items: Iterable<T>, work: (item: T) => void): Promise<void> {
  for (const item of items) {
    if (slice.isOver()) await slice.next();
    work(item);
  }
}

const slices = new WeakMap<object, TimeSlice>();

/** Returns the time slice of a request, by its context. */
export function timeSliceOf(context: object): TimeSlice {
  const slice = slices.get(context) ?? new TimeSlice();
  slices.set(context, slice);
  return slice;
}
