import { readFileSync, statSync } from 'node:fs';
import { MongoError, messageOf, type ErrorName } from '../bson/mongo-error.ts';
import { primaryCode, sqliteErrorCode } from './sqlite.ts';

/** The errors that clients get for failures of SQLite, by its extended or plain code. */
const FAILURES: Readonly<Record<number, readonly [codeName: ErrorName, what: string]>> = {
  5: ['LockBusy', 'Another process holds the database file'],
  // Readers that found the log being changed too often.
  15: ['LockBusy', 'Another process holds the database file'],
  8: ['FileNotOpen', 'The database file is read-only'],
  10: ['FileStreamFailed', 'The disk of the database file cannot be read'],
  11: ['DataCorruptionDetected', 'The database file is damaged'],
  26: ['DataCorruptionDetected', 'The database file is damaged'],
  13: ['OutOfDiskSpace', 'The disk of the database file is full'],
  14: ['FileNotOpen', 'The database file cannot be opened'],
  // Failed writes, among errors of the disk (10): write, fsync, fsync of the folder, truncate, growth of the shared index.
  778: ['OutOfDiskSpace', 'The disk of the database file cannot be written'],
  1034: ['OutOfDiskSpace', 'The disk of the database file cannot be written'],
  1290: ['OutOfDiskSpace', 'The disk of the database file cannot be written'],
  1546: ['OutOfDiskSpace', 'The disk of the database file cannot be written'],
  4874: ['OutOfDiskSpace', 'The disk of the database file cannot be written'],
};

/** The byte of the shared index that the process that writes has locked. Source: SQLite, "WAL-mode File Format", 2.3. */
const WRITER_BYTE = 120;

/** Returns true if an error of SQLite means that another process holds the file. */
export function isBusy(error: unknown): boolean {
  return failureOf(error)?.[0] === 'LockBusy';
}

/** The error that the client gets for a failure of SQLite. */
export function clientError(error: unknown): MongoError {
  if (error instanceof MongoError) return error;
  const [codeName, what] = failureOf(error) ?? ['InternalError', 'Database file failed'];
  return new MongoError(codeName, `${what}: ${messageOf(error)}`);
}

function failureOf(error: unknown) {
  return FAILURES[sqliteErrorCode(error) ?? 0] ?? FAILURES[primaryCode(error) ?? 0];
}

/** The error of a write that has waited too long for another process. */
export function writerBusy(file: string): MongoError {
  return new MongoError('LockBusy', `The database file is locked by ${writerOf(file) ?? 'another process'}`);
}

/** Names the process that writes a file, as far as Linux tells: its id, its program, and whether it has been stopped. */
export function writerOf(file: string): string | undefined {
  try {
    const { ino } = statSync(`${file}-shm`);
    const locks = readFileSync('/proc/locks', 'utf8').matchAll(/ WRITE (\d+) \S+:(\d+) (\d+) (\d+)$/gm);
    for (const [, pid, inode, from, until] of locks) {
      if (Number(inode) !== ino || Number(from) > WRITER_BYTE || Number(until) < WRITER_BYTE) continue;
      const [, name, state] = /\((.*)\) (\w)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      return `process ${pid} (${name}${state === 'T' ? ', which has been stopped' : ''})`;
    }
  } catch {
    // Another system, or the process has ended meanwhile.
  }
  return undefined;
}
