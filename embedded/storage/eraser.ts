import { closeSync, fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { check } from '../bson/mongo-error.ts';
import { MAX_PAGES, unusedOf, type Span } from './page-remnants.ts';
import { configure } from './schema.ts';
import { SQLITE_BUSY, primaryCode, type Sqlite, type SqliteEngine } from './sqlite.ts';

/** Pages of one step: some milliseconds' work, in which all others wait. */
const PAGES_A_STEP = 500;

/** The place in a file where SQLite locks bytes: the page there is never used. */
const LOCKED_AT = 2 ** 30;

/** Zeros, as many as the largest page has bytes. */
const ZEROS = Buffer.alloc(65_536);

/** A write without a visible effect; SQLite does not write unchanged rows. */
const TOUCH = 'UPDATE catalog SET rowid = rowid + 1';

/**
 * Overwrites in place what deleted documents have left in a file: in free pages, and in pages between rows. The bytes belong to
 * nothing, so concurrent readers of the file see no change. There are no other writers: the log is empty, so that no page is
 * copied from it, and the lock of the writer is held, so that it remains empty. A commit then makes all connections read the
 * pages again, since they would write their old copies.
 */
export class Eraser {
  readonly #sqlite: Sqlite;
  readonly #file: string;
  /** Closing it gives up the locks of all connections of this process (POSIX): it is closed after these. */
  readonly #descriptor: number;

  constructor(engine: SqliteEngine, file: string) {
    this.#file = file;
    this.#sqlite = engine.open(file);
    configure(this.#sqlite);
    this.#sqlite.exec('PRAGMA busy_timeout = 0');
    this.#descriptor = openSync(file, 'r+');
  }

  /**
   * Erases some pages from one on, counted from 1; returns the next page, `end` if there is none, and `busy` if a
   * reader or writer stands in the way.
   */
  erase(first: number): number | 'end' | 'busy' {
    // SQLite reports a reader of an older state in the row that is not read here: the log then is not empty.
    this.#sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    if (!this.#begin()) return 'busy';
    try {
      if (sizeOf(`${this.#file}-wal`) > 0) return this.#end('ROLLBACK', 'busy');
      const pageSize = this.#eraseFrom(first);
      this.#sqlite.exec(TOUCH);
      const next = first + PAGES_A_STEP;
      return this.#end('COMMIT', (next - 1) * pageSize < sizeOf(this.#file) ? next : 'end');
    } catch (error) {
      this.#end('ROLLBACK', 'busy');
      throw error;
    }
  }

  /** Releases the file, once no connection of this process has it open. */
  close(): void {
    this.#sqlite.close();
    closeSync(this.#descriptor);
  }

  #begin(): boolean {
    try {
      this.#sqlite.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (primaryCode(error) === SQLITE_BUSY) return false;
      throw error;
    }
  }

  #end<Result>(how: 'COMMIT' | 'ROLLBACK', result: Result): Result {
    this.#sqlite.exec(how);
    return result;
  }

  #eraseFrom(first: number): number {
    const { pageSize, usableSize, firstTrunk } = this.#readHeader();
    const pages = sizeOf(this.#file) / pageSize;
    check(pages < MAX_PAGES, 'InternalError', 'The database file is too large to overwrite what was deleted');
    const until = Math.min(first + PAGES_A_STEP, pages + 1);
    const free = this.#freePages(firstTrunk, pageSize, first, until);
    const range = this.#read((first - 1) * pageSize, (until - first) * pageSize);
    let isChanged = false;
    for (let number = first; number < until; number += 1) {
      if ((number - 1) * pageSize === LOCKED_AT) continue;
      const page = range.subarray((number - first) * pageSize, (number - first + 1) * pageSize);
      const unused = free.get(number) ?? unusedOf(page, number, usableSize);
      for (const span of unused) isChanged = this.#zero(page, number, span) || isChanged;
    }
    if (isChanged) fsyncSync(this.#descriptor);
    return pageSize;
  }

  #readHeader(): { pageSize: number; usableSize: number; firstTrunk: number } {
    const header = this.#read(0, 100);
    const stored = header.readUInt16BE(16);
    const pageSize = stored === 1 ? 65_536 : stored;
    // Pages of a file that SQLite shrinks by itself may look like those of a b-tree; this program makes none.
    check(header.readUInt32BE(52) === 0, 'InternalError', 'The database file has pages of another kind');
    return { pageSize, usableSize: pageSize - (header[20] ?? 0), firstTrunk: header.readUInt32BE(32) };
  }

  /** The free pages in a range, with what of them is not used: all, but for the numbers in those that list others. */
  #freePages(firstTrunk: number, pageSize: number, from: number, until: number): Map<number, readonly Span[]> {
    const free = new Map<number, readonly Span[]>();
    const add = (number: number, unused: Span) => {
      if (number >= from && number < until) free.set(number, [unused]);
    };
    for (let trunk = firstTrunk; trunk !== 0; ) {
      const page = this.#read((trunk - 1) * pageSize, pageSize);
      const count = page.readUInt32BE(4);
      add(trunk, { from: 8 + 4 * count, until: pageSize });
      for (let at = 0; at < count; at += 1) add(page.readUInt32BE(8 + 4 * at), { from: 0, until: pageSize });
      trunk = page.readUInt32BE(0);
    }
    return free;
  }

  #read(at: number, size: number): Buffer {
    const bytes = Buffer.alloc(size);
    readSync(this.#descriptor, bytes, 0, size, at);
    return bytes;
  }

  /** Overwrites bytes of a page with zeros; returns true if they were anything else. */
  #zero(page: Buffer, number: number, { from, until }: Span): boolean {
    const length = Math.max(until - from, 0);
    if (page.subarray(from, until).equals(ZEROS.subarray(0, length))) return false;
    writeSync(this.#descriptor, ZEROS, 0, length, (number - 1) * page.length + from);
    return true;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
