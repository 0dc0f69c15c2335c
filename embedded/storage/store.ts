import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { MongoError, messageOf } from '../bson/mongo-error.ts';
import { Arrivals } from './arrivals.ts';
import { Connection } from './connection.ts';
import { Eraser } from './eraser.ts';
import { BUSY_MS, configure, prepareFile } from './schema.ts';
import { Snapshots } from './snapshots.ts';
import { SQLITE_BUSY, primaryCode, sqliteErrorCode, type SqliteEngine } from './sqlite.ts';
import { Transaction } from './transaction.ts';
import type { Writes } from './access.ts';

const SQLITE_FULL = 13;
/** Extended codes of SQLite for a write that the system rejects: write, fsync, truncate, and the size of the shared index. */
const UNWRITABLE: ReadonlySet<number> = new Set([778, 1034, 1546, 4874]);
const WRITER_TRY_MS = 3;

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
  readonly #newEraser: () => Eraser;
  #eraser: Eraser | undefined;
  #waiting: Settle[] | undefined;
  #transaction: Transaction | undefined;

  /** Opens a file; `allowance` is that of the {@link Snapshots}. */
  constructor(engine: SqliteEngine, file: string, allowance?: number) {
    super(engine, file, allowance);
    this.#newEraser = () => new Eraser(engine, file);
    const first = engine.open(file);
    try {
      configure(first);
      prepareFile(first, file);
      this.#writer = new Connection(engine, file);
      // From its first read on a connection holds the file in use, which prevents a restore over it.
      this.#writer.catalog();
      this.#writer.exec(`PRAGMA busy_timeout = ${WRITER_TRY_MS}`);
      // On the connection that writes, only the commits of other processes change the version.
      this.arrivals = new Arrivals(() => this.#writer.get('PRAGMA data_version')?.data_version);
    } finally {
      first.close();
    }
  }

  /** Runs work in the transaction of this turn of the event loop; settles when that is on the disk. */
  async write<T>(work: (writer: Connection) => T): Promise<T> {
    while (this.#transaction) await this.#transaction.ended;
    const waiting = this.#begin();
    const outcome = this.#attempt(work);
    await new Promise<void>((resolve, reject) => waiting.push((error) => (error ? reject(error) : resolve())));
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
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
  async transaction(): Promise<Transaction> {
    while (this.#transaction) await this.#transaction.ended;
    this.#commit();
    this.#beginImmediate();
    const transaction = new Transaction(this.#writer, () => {
      this.#transaction = undefined;
    });
    this.#transaction = transaction;
    return transaction;
  }

  /** Commits what waits, undoes a transaction that is open, and closes every connection. */
  override close(): void {
    this.#transaction?.abort();
    this.#commit();
    super.close();
    this.#writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#writer.close();
    this.#eraser?.close();
  }

  #begin(): Settle[] {
    if (this.#waiting) return this.#waiting;
    this.#beginImmediate();
    const waiting: Settle[] = [];
    this.#waiting = waiting;
    setImmediate(() => {
      if (this.#waiting === waiting) this.#commit();
    });
    return waiting;
  }

  /** Waits for another process that writes. SQLite's own wait grows to 100 ms a try, which is long beside a commit. */
  #beginImmediate(): void {
    const end = Date.now() + BUSY_MS;
    for (;;) {
      try {
        this.#writer.begin('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error) || Date.now() > end) throw clientError(error);
      }
    }
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
    for (const settle of waiting) settle();
    if (this.#writer.changesCapped) this.arrivals.wake();
  }

  #rollback(error: MongoError): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#writer.rollBack();
    for (const settle of waiting) settle(error);
  }
}

function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY;
}

/** The error that the client gets for a failure of SQLite. */
export function clientError(error: unknown): MongoError {
  if (error instanceof MongoError) return error;
  const message = messageOf(error);
  if (isBusy(error)) return new MongoError('LockBusy', `Another process holds the database file: ${message}`);
  if (primaryCode(error) === SQLITE_FULL)
    return new MongoError('OutOfDiskSpace', `The disk of the database file is full: ${message}`);
  if (UNWRITABLE.has(sqliteErrorCode(error) ?? 0))
    return new MongoError('OutOfDiskSpace', `The disk of the database file cannot be written: ${message}`);
  return new MongoError('InternalError', `Database file failed: ${message}`);
}
