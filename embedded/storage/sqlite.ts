import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A value of SQLite. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** One row of a result. */
export type Row = Record<string, SqlValue>;

/** A prepared statement; both engines share this part. */
export interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
  iterate(...values: SqlValue[]): IterableIterator<unknown>;
}

/** An open SQLite database; both engines share this part. */
export interface Sqlite {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  function(name: string, implementation: (...values: SqlValue[]) => SqlValue): void;
  close(): void;
}

/** The SQLite of this process: its name, for people, and the function that opens a file. */
export interface SqliteEngine {
  readonly name: string;
  /** Opens a file, which is created unless it is only read. */
  open(file: string, readOnly?: boolean): Sqlite;
}

type SqliteModule = { DatabaseSync: new (file: string, options: { readonly readOnly: boolean }) => Sqlite };

/** Finds the engine: Node's own from version 22.13 on, else the package with the same interface. */
export function findSqliteEngine(version: string = process.versions.node): SqliteEngine {
  const require = createRequire(import.meta.url);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const own = major > 22 || (major === 22 && minor >= 13);
  const name = own ? 'node:sqlite' : '@photostructure/sqlite';
  const { DatabaseSync } = require(name) as SqliteModule;
  return { name, open: (file, readOnly = false) => new DatabaseSync(addressOf(file), { readOnly }) };
}

/**
 * The address of a file for SQLite. A file in a folder that cannot be written, which no process has open and which has no log, can
 * be read only as one that does not change: the index that processes share cannot be made beside it.
 */
function addressOf(file: string): string {
  const isInUse = !existsSync(file) || existsSync(`${file}-shm`);
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  return isInUse || hasLog || isWritable(dirname(resolve(file))) ? file : `${pathToFileURL(file).href}?immutable=1`;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The bytes of a BLOB as a Buffer, without copying. */
export function blob(value: SqlValue | undefined): Buffer {
  if (!(value instanceof Uint8Array)) throw new TypeError('A BLOB column holds no BLOB');
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** Codes of errors that iterators of the package throw without one, by SQLite's message. */
const CODES: ReadonlyMap<string, number> = new Map([
  ['database is locked', 5],
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
]);

/** The extended result code of an SQLite error, as far as it is known; undefined for any other error. */
export function sqliteErrorCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : CODES.get(error.message);
}

/** SQLite's code for a file that another connection holds. */
export const SQLITE_BUSY = 5;

/** SQLite's extended code for a key that a unique index has already. */
export const SQLITE_CONSTRAINT_UNIQUE = 2067;

/** The plain result code of an SQLite error, without what extends it; undefined for any other error. */
export function primaryCode(error: unknown): number | undefined {
  const code = sqliteErrorCode(error);
  return code === undefined ? undefined : code & 0xff;
}
