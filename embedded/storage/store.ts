import { MongoError, messageOf } from '../bson/mongo-error.ts';
import { Connection } from './connection.ts';
import { BUSY_MS, configure, prepareFile } from './schema.ts';
import { SQLITE_BUSY, primaryCode, sqliteErrorCode, type SqliteEngine } from './sqlite.ts';

const SQLITE_FULL = 13;
/** Extended codes of SQLite for a write that the system rejects: write, fsync, truncate, and the size of the shared index. */
const UNWRITABLE: ReadonlySet<number> = new Set([778, 1034, 1546, 4874]);
const MAX_IDLE_READERS = 8;
const WRITER_TRY_MS = 3;

/** Called at the end of a transaction, with the error that has undone it. */
type Settle = (error?: MongoError) => void;

/**
 * The file and the connections to it: one that writes, and one for each reader that is under way. All writes of one
 * turn of the event loop share a transaction, and are answered when it is on the disk.
 */
export class Store {
  readonly file: string;
  readonly #engine: SqliteEngine;
  readonly #writer: Connection;
  readonly #idle: Connection[] = [];
  readonly #open = new Set<Connection>();
  #waiting: Settle[] | undefined;

  constructor(engine: SqliteEngine, file: string) {
    this.file = file;
    this.#engine = engine;
    const first = engine.open(file);
    try {
      configure(first);
      prepareFile(first, file);
      this.#writer = new Connection(engine, file);
      // From its first read on a connection holds the file in use, which prevents a restore over it.
      this.#writer.catalog();
      this.#writer.exec(`PRAGMA busy_timeout = ${WRITER_TRY_MS}`);
    } finally {
      first.close();
    }
  }

  /** Opens the newest snapshot. The connection belongs to the caller, who must release it. */
  acquire(): Connection {
    const reader = this.#idle.pop() ?? new Connection(this.#engine, this.file);
    this.#open.add(reader);
    reader.begin('BEGIN');
    return reader;
  }

  /** Ends a snapshot. */
  release(reader: Connection): void {
    if (!this.#open.delete(reader)) return;
    reader.end('ROLLBACK');
    if (this.#idle.length < MAX_IDLE_READERS) this.#idle.push(reader);
    else reader.close();
  }

  /** Runs work that reads the newest snapshot. */
  read<T>(work: (reader: Connection) => T): T {
    const reader = this.acquire();
    try {
      return work(reader);
    } finally {
      this.release(reader);
    }
  }

  /** Number of open snapshots. */
  get openSnapshots(): number {
    return this.#open.size;
  }

  /**
   * Runs work in the transaction of this turn of the event loop; settles when that is on the disk. Work that throws a MongoError
   * must have undone what it did; any other error undoes the whole transaction and fails all who wait for it.
   */
  async write<T>(work: (writer: Connection) => T): Promise<T> {
    const waiting = this.#begin();
    const outcome = this.#attempt(work);
    await new Promise<void>((resolve, reject) => waiting.push((error) => (error ? reject(error) : resolve())));
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  }

  /** Commits what waits and closes every connection. */
  close(): void {
    this.#commit();
    for (const reader of this.#open) this.release(reader);
    this.#writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    for (const connection of [...this.#idle, this.#writer]) connection.close();
    this.#idle.length = 0;
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
  }

  #rollback(error: MongoError): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#writer.clearCatalog();
    try {
      this.#writer.end('ROLLBACK');
    } catch {
      // SQLite has already undone the transaction by itself, as it does when the disk is full.
    }
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
