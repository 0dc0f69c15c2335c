import { randomInt } from 'node:crypto';
import { MongoError } from '../bson/mongo-error.ts';
import { MAX_BSON_SIZE } from '../bson/codec.ts';

/** Lifetime of an unused cursor, in milliseconds. */
export const CURSOR_TIMEOUT_MS = 10 * 60 * 1000;

/** Interval of checks for unused cursors, in milliseconds. */
export const CLEAN_UP_MS = 60_000;

/** The documents that a cursor has yet to return, and the snapshot they come from. */
export interface Source {
  readonly namespace: string;
  readonly documents: Iterator<Buffer>;
  /** Maximum number of documents, if it is known: the cursor ends with the last of them. */
  readonly max?: number | undefined;
  /** Only of a tailable cursor. */
  readonly tail?: Tail;
  /** Ends the snapshot. */
  end(): void;
}

/**
 * A tailable cursor, whose documents end only for now: each batch continues after the one before it, in a snapshot of its own.
 */
export interface Tail {
  /**
   * Waits until another batch may have documents; returns false if there can be none, or a time of `performance.now()` comes
   * first. Throws if the cursor is killed.
   */
  awaitMore(until: number): Promise<boolean>;
}

/** Some documents, and the id of the cursor for the others; 0 if there are none. */
interface Batch {
  readonly batch: Buffer[];
  readonly id: bigint;
  readonly tail: Tail | undefined;
}

interface Open extends Source {
  owner: number;
  lastUsed: number;
  returned: number;
}

/** Bits of a cursor's id that tell its thread. */
const THREAD_BITS = 2n;

/** The number of the thread that has a cursor. */
export function threadOf(id: bigint): number {
  return Number(BigInt.asUintN(Number(THREAD_BITS), id));
}

/** The open cursors. One belongs to the connection that last used it and ends with it, and so does its snapshot. */
export class Cursors {
  readonly #open = new Map<bigint, Open>();
  readonly #thread: number;
  readonly #sliceMs: number;

  /** The cursors of a thread, 0 to 3. A batch ends early after `sliceMs` of work, so that others get their turn. */
  constructor(thread = 0, sliceMs = Number.POSITIVE_INFINITY) {
    this.#thread = thread;
    this.#sliceMs = sliceMs;
  }

  /** Number of open cursors. */
  get size(): number {
    return this.#open.size;
  }

  /** Takes the first batch of a source and opens a cursor for the rest; `single` ends the source after the first batch. */
  first(source: Source, owner: number, size: number, single: boolean): Batch {
    const random = BigInt(randomInt(1, 2 ** 48 - 1));
    const id = (random << THREAD_BITS) | BigInt(this.#thread);
    const cursor = { ...source, owner, lastUsed: Date.now(), returned: 0 };
    this.#open.set(id, cursor);
    return this.#take(id, cursor, size, single);
  }

  /** Takes the next batch of a cursor. */
  next(id: bigint, owner: number, namespace: string, size: number): Batch {
    const cursor = this.#open.get(id);
    if (!cursor || cursor.namespace !== namespace) throw new MongoError('CursorNotFound', `cursor id ${id} not found`);
    cursor.owner = owner;
    cursor.lastUsed = Date.now();
    return this.#take(id, cursor, size, false);
  }

  #take(id: bigint, cursor: Open, size: number, single: boolean): Batch {
    try {
      const { documents, tail, max = Number.POSITIVE_INFINITY } = cursor;
      const wanted = Math.min(size, max - cursor.returned);
      const { batch, done } = takeBatch(documents, wanted, single ? Number.POSITIVE_INFINITY : this.#sliceMs);
      cursor.returned += batch.length;
      if (tail) documents.return?.();
      const isOver = (done && !tail) || single || cursor.returned === max;
      if (isOver) this.kill(id);
      return { batch, id: isOver ? 0n : id, tail };
    } catch (error) {
      this.kill(id);
      throw error;
    }
  }

  /** Ends a cursor; returns true if it was open. */
  kill(id: bigint): boolean {
    const cursor = this.#open.get(id);
    // The documents end before the snapshot: a statement that is not finished would hold the old snapshot open.
    cursor?.documents.return?.();
    cursor?.end();
    return this.#open.delete(id);
  }

  /** Ends the cursors that have not been used since a time. */
  killUnused(since: number): void {
    this.killAll(({ lastUsed }) => lastUsed < since);
  }

  /** Ends the cursors that a test selects; without a test, all of them. */
  killAll(isOver: (cursor: Readonly<Open>) => boolean = () => true): void {
    for (const [id, cursor] of this.#open) if (isOver(cursor)) this.kill(id);
  }
}

/** Takes documents up to a number, to the size of one answer, or until its time is over. */
function takeBatch(documents: Iterator<Buffer>, size: number, ms: number): { batch: Buffer[]; done: boolean } {
  const batch: Buffer[] = [];
  const end = performance.now() + ms;
  let bytes = 0;
  while (batch.length < size && bytes <= MAX_BSON_SIZE - 1024 * 1024 && performance.now() < end) {
    const { value, done } = documents.next();
    if (done) return { batch, done };
    batch.push(value);
    bytes += value.length;
  }
  return { batch, done: false };
}
