import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { isBusy } from './file-errors.ts';

/** Time for which tries follow each other without a pause, and the pause between later ones, in milliseconds. */
const EAGER_MS = 5;
const TRY_MS = 2;

/** Time for which a process may write without a pause, and the shortest pause in which others can begin, in milliseconds. */
const TURN_MS = 200;
const REST_MS = 4;

/**
 * The lock of the process that writes a file. SQLite has no queue for it: those who wait try again and again. Between two tries the thread is
 * free, and a process that writes on and on leaves the others a moment to begin.
 */
export class WriterLock {
  readonly #begin: () => void;
  #writesSince = 0;
  #releasedAt = Number.NEGATIVE_INFINITY;
  #waitsSince: number | undefined;
  #triedAt = 0;
  #nextTry: Promise<void> | undefined;

  /** `begin` takes the lock, or throws an error of SQLite. */
  constructor(begin: () => void) {
    this.#begin = begin;
  }

  /** Takes the lock; returns undefined if it has, else what resolves when it is time to try again. */
  take(): Promise<void> | undefined {
    if (this.#nextTry) return this.#nextTry;
    const now = performance.now();
    if (now - this.#releasedAt >= REST_MS) this.#writesSince = now;
    if (now - this.#writesSince <= TURN_MS && this.#tryNow()) {
      this.#waitsSince = undefined;
      return undefined;
    }
    // A wait that everyone has given up is over.
    if (now - this.#triedAt > TURN_MS) this.#waitsSince = undefined;
    this.#waitsSince ??= now;
    this.#triedAt = now;
    const waiting = now - this.#waitsSince < EAGER_MS ? nextTurn() : pause(TRY_MS);
    this.#nextTry = waiting.then(() => {
      this.#nextTry = undefined;
    });
    return this.#nextTry;
  }

  /** Time for which another process has had the lock while this one wanted it, in milliseconds. */
  get waitsFor(): number {
    return this.#waitsSince === undefined ? 0 : performance.now() - this.#waitsSince;
  }

  /** Notes that a transaction has ended. */
  released(): void {
    this.#releasedAt = performance.now();
  }

  #tryNow(): boolean {
    try {
      this.#begin();
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }
}
