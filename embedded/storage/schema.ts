import { check } from '../bson/mongo-error.ts';
import type { SqlValue, Sqlite } from './sqlite.ts';

/** Format of the file; a file of a newer format is not opened. */
export const FORMAT = 1;

const APPLICATION_ID = 0x57617942;

/** The key columns every collection's table has from the start, before the document: reading them skips no document. */
export const FIRST_SLOTS = 16;

const SCHEMA = `
  CREATE TABLE catalog (version INTEGER NOT NULL);
  INSERT INTO catalog VALUES (1);
  CREATE TABLE collections (id INTEGER PRIMARY KEY AUTOINCREMENT, db TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (db, name));
  CREATE TABLE paths (id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, path TEXT NOT NULL,
    slot INTEGER NOT NULL, multikey INTEGER NOT NULL DEFAULT 0, UNIQUE (collection, path));
  CREATE TABLE indexes (id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, name TEXT NOT NULL,
    spec BLOB NOT NULL, is_unique INTEGER NOT NULL, slot INTEGER, UNIQUE (collection, name));
`;

/** Time that a thread stands still for another process that opens or closes the file, in milliseconds. */
export const BUSY_MS = 5000;

/** Configures a connection: durable, waiting for other processes, and leaving nothing of what it deletes. */
export function configure(sqlite: Sqlite, busyMs: number = BUSY_MS): void {
  sqlite.exec(`PRAGMA busy_timeout = ${busyMs}`);
  sqlite.exec('PRAGMA synchronous = FULL');
  sqlite.exec('PRAGMA foreign_keys = OFF');
  // What is deleted is overwritten; measured, writes take as long. `Eraser` overwrites what this leaves.
  sqlite.exec('PRAGMA secure_delete = ON');
}

/** Creates the catalog of a new file; throws for a file of a newer format or of another program. */
export function prepareFile(sqlite: Sqlite, file: string): void {
  checkFormat(sqlite, file);
  sqlite.exec('PRAGMA journal_mode = WAL');
  // Where there is nothing to create, a process that writes for long must not prevent the start of this one.
  if (pragma(sqlite, 'user_version') !== 0) return;
  sqlite.exec('BEGIN IMMEDIATE');
  try {
    if (pragma(sqlite, 'user_version') === 0) {
      sqlite.exec(SCHEMA);
      sqlite.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      sqlite.exec(`PRAGMA user_version = ${FORMAT}`);
    }
    sqlite.exec('COMMIT');
  } catch (error) {
    sqlite.exec('ROLLBACK');
    throw error;
  }
}

/** Throws unless a file is new, or a database of this program in a format it knows. */
export function checkFormat(sqlite: Sqlite, file: string): void {
  const format = Number(pragma(sqlite, 'user_version'));
  const isEmpty = pragma(sqlite, 'schema_version') === 0;
  const isOurs = isEmpty || pragma(sqlite, 'application_id') === APPLICATION_ID;
  check(isOurs, 'InvalidOptions', `${file} is not a database of this program`);
  const message = `${file} has format ${format}, which is newer than this program reads (${FORMAT}): use a newer version of Waybridge`;
  check(format <= FORMAT, 'InvalidOptions', message);
}

/** Reads a value of a file by a function: a prepared statement would keep the file open until garbage is collected. */
export function pragma(sqlite: Sqlite, name: string): SqlValue {
  let value: SqlValue = null;
  sqlite.function('report', (found) => {
    value = found;
    return null;
  });
  sqlite.exec(`SELECT report(${name}) FROM pragma_${name}`);
  return value;
}
