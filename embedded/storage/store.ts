import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { MongoError } from '../bson/mongo-error.ts';
import { Arrivals } from './arrivals.ts';
import { Connection } from './connection.ts';
import { Eraser } from './eraser.ts';
import { clientError, writerBusy } from './file-errors.ts';
import { freeReserve, keepReserve } from './reserve.ts';
import { configure, prepareFile } from './schema.ts';
import { Snapshots } from './snapshots.ts';
import type { SqliteEngine } from './sqlite.ts';
import { Transaction } from './transaction.ts';
import { WriterLock } from './writer-lock.ts';
import type { Writes } from './access.ts';

/** Maximum time that a write waits for other transactions, in milliseconds. */
const WRITE_WITHIN_MS = 10_000;
/** Maximum number of writes that wait for another process for longer than a second: others need the connections of clients. */
const MAX_WAITING = 64;
const CROWDED_AFTER_MS = 1000;

/** Number of waits of the eraser for the same readers and writers, and duration of each in milliseconds. */
const ERASER_TRIES = 50;
const ERASER_PAUSE_MS = 20;

/** Called at the end of a transaction, with the error that has undone it. */
type Settle = (error?: MongoError) => void;

/**
 * The file with all connections to it: one that writes, beside those that read snapshots. All writes of one turn of the
 * event loop share a transaction, and are answered when it is on the disk. While a client has a transaction, it is the only one
 * that writes.
 */
export class Store extends Snapshots implements Writes {
  override readonly arrivals: Arrivals;
  readonly #writer: Connection;
  readonly #lock: WriterLock;
  readonly #newEraser: () => Eraser;
  #eraser: Eraser | undefined;
  #waiting: Settle[] | undefined;
  #transaction: Transaction | undefined;
  #waitingWrites = 0;

  /** Opens a file; `allowance` is that of the {@link Snapshots}. */
  constructor(engine: SqliteEngine, file: string, allowance?: number) {
    super(engine, file, allowance);
    this.#newEraser = () => new Eraser(engine, file);
    try {
      this.#writer = openWriter(engine, file);
    } catch (error) {
      if (clientError(error).codeName !== 'OutOfDiskSpace' || !freeReserve(file)) throw error;
      this.#writer = openWriter(engine, file);
    }
    keepReserve(file);
    this.#lock = new WriterLock(() => this.#writer.begin('BEGIN IMMEDIATE'));
    // On the connection that writes, only the commits of other processes change the version.
    this.arrivals = new Arrivals(() => this.#writer.get('PRAGMA data_version')?.data_version);
  }

  /** Runs work in the transaction of this turn of the event loop; settles when that is on the disk. */
  write<T>(work: (writer: Connection) => T): Promise<T> {
    return this.#asWriter(
      () => (this.#waiting ? undefined : this.#lock.take()),
      () => this.#writeNow(work),
    );
  }

  /**
   * Overwrites all that deleted documents have left in the file, and empties its log, in steps between which others have their
   * turn. Returns false if it was ended before, or a reader or another process stood in the way: it is to be repeated.
   */
  async erase(signal: AbortSignal): Promise<boolean> {
    this.#eraser ??= this.#newEraser();
    let [page, tries] = [1, 0];
    while (!signal.aborted && tries < ERASER_TRIES) {
      while (this.#transaction) await this.#transaction.ended;
      this.#commit();
      const next = this.#eraser.erase(page);
      if (next === 'end') return true;
      if (next === 'busy') {
        tries += 1;
        await pause(ERASER_PAUSE_MS);
      } else {
        [page, tries] = [next, 0];
        await nextTurn();
      }
    }
    return false;
  }

  /** Begins a transaction of a client: it reads what was written before it, and others write after it. */
  transaction(): Promise<Transaction> {
    const take = () => {
      this.#commit();
      return this.#lock.take();
    };
    return this.#asWriter(take, () => {
      this.#transaction = new Transaction(this.#writer, () => {
        this.#transaction = undefined;
        this.#lock.released();
      });
      return this.#transaction;
    });
  }

  /** Commits what waits, undoes a transaction that is open, and closes every connection. */
  override close(): void {
    this.#transaction?.abort();
    this.#commit();
    super.close();
    try {
      this.#writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // The log stays, and the next start reads it.
    }
    this.#writer.close();
    this.#eraser?.close();
  }

  /**
   * Does work at once when `take` has taken the lock, which returns until when to wait otherwise.
   *
   * @throws MongoError LockBusy if others write for too long
   */
  async #asWriter<T>(take: () => Promise<void> | undefined, work: () => T | Promise<T>): Promise<T> {
    const since = performance.now();
    for (;;) {
      const free = this.#transaction ? this.#transaction.ended : take();
      if (!free) return work();
      this.#waitingWrites += 1;
      await free;
      this.#waitingWrites -= 1;
      const isCrowded = this.#waitingWrites >= MAX_WAITING && this.#lock.waitsFor > CROWDED_AFTER_MS;
      if (isCrowded || performance.now() - since > WRITE_WITHIN_MS) throw writerBusy(this.file);
    }
  }

  #writeNow<T>(work: (writer: Connection) => T): Promise<T> {
    const waiting = this.#waiting ?? this.#openBatch();
    const outcome = this.#attempt(work);
    return new Promise((resolve, reject) =>
      waiting.push((error) => {
        if (error) reject(error);
        else if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.result);
      }),
    );
  }

  #openBatch(): Settle[] {
    const waiting: Settle[] = [];
    this.#waiting = waiting;
    setImmediate(() => {
      if (this.#waiting === waiting) this.#commit();
    });
    return waiting;
  }

  #attempt<T>(work: (writer: Connection) => T): { result: T } | { error: MongoError } {
    try {
      return { result: work(this.#writer) };
    } catch (error) {
      if (error instanceof MongoError) return { error };
      const failure = clientError(error);
      this.#rollback(failure);
      throw failure;
    }
  }

  #commit(): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    try {
      this.#writer.end('COMMIT');
    } catch (error) {
      this.#rollback(clientError(error));
      return;
    }
    this.#waiting = undefined;
    this.#lock.released();
    for (const settle of waiting) settle();
    if (this.#writer.changesCapped) this.arrivals.wake();
  }

  #rollback(error: MongoError): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#writer.rollBack();
    this.#lock.released();
    for (const settle of waiting) settle(error);
  }
}

/** Opens the connection that writes, on a file that is created unless it exists. */
function openWriter(engine: SqliteEngine, file: string): Connection {
  const first = engine.open(file);
  try {
    configure(first);
    prepareFile(first, file);
    const writer = new Connection(engine, file);
    // From its first read on a connection holds the file in use, which prevents a restore over it.
    writer.catalog();
    writer.exec('PRAGMA busy_timeout = 0');
    return writer;
  } finally {
    first.close();
  }
}
