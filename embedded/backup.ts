import { execFile } from 'node:child_process';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MongoError, check, messageOf } from './bson/mongo-error.ts';
import { builtScript } from './built-script.ts';
import { checkEmbeddedDatabase } from './check.ts';
import { clientError } from './storage/file-errors.ts';
import { BUSY_MS, checkFormat, pragma } from './storage/schema.ts';
import { SQLITE_BUSY, findSqliteEngine, primaryCode, type Sqlite } from './storage/sqlite.ts';

/** Interval at which a copy that is being checked is dated, in milliseconds. */
const TOUCH_MS = 10_000;

/**
 * Writes a consistent copy of a database to a new file, while other processes continue using it. The file has its name once it has been
 * checked.
 *
 * @throws MongoError if the database cannot be copied, or is damaged
 */
export async function backupEmbeddedDatabase(file: string, to: string): Promise<void> {
  checkFiles(existsSync(file), `There is no database at ${file}`);
  checkFiles(!existsSync(to), `${to} exists already: a backup overwrites nothing`);
  copyInto(file, to);
}

/**
 * Does the same in another process with a lower priority: a copy takes as long as the disk does.
 *
 * @param signal ends the process
 */
export async function backupInProcess(file: string, to: string, signal: AbortSignal): Promise<void> {
  const script = fileURLToPath(builtScript('backup-process', import.meta.url));
  try {
    await promisify(execFile)(process.execPath, [script, file, to], { signal });
  } catch (error) {
    const reason = error instanceof Error && 'stderr' in error ? String(error.stderr) : messageOf(error);
    throw new Error(`The backup failed: ${reason || 'its process was ended'}`, { cause: error });
  }
}

/** Puts a backup in the place of a database that no process uses; a backup that is not sound changes nothing. */
export async function restoreEmbeddedDatabase(from: string, file: string): Promise<void> {
  checkFiles(existsSync(from), `There is no backup at ${from}`);
  const fresh = `${resolve(file)}.restoring`;
  foldLog(file);
  rmSync(fresh, { force: true });
  copyInto(from, fresh);
  try {
    foldLog(file);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  synchronize(dirname(resolve(file)));
}

/** Copies into a new file that only its owner can read, and checks the copy; leaves none behind when it fails. */
function copyInto(from: string, to: string): void {
  const part = `${to}.part`;
  rmSync(part, { force: true });
  makeFile(part, to);
  try {
    copyDatabase(from, part);
    requireSound(from, part);
    synchronize(part);
    renameSync(part, to);
    synchronize(dirname(resolve(to)));
  } catch (error) {
    for (const end of ['', '-wal', '-shm']) rmSync(`${part}${end}`, { force: true });
    throw error;
  }
}

function copyDatabase(from: string, to: string): void {
  withDatabase(from, (sqlite) => {
    sqlite.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    checkFormat(sqlite, from);
    checkFiles(pragma(sqlite, 'user_version') !== 0, `${from} is empty, not a database`);
    sqlite.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
  });
}

/** Throws if a copy has damage; it is dated by the progress of its check, so that nobody takes it for abandoned. */
function requireSound(from: string, copy: string): void {
  let touched = 0;
  const [finding, ...others] = checkEmbeddedDatabase(copy, () => {
    if (performance.now() - touched < TOUCH_MS) return;
    touched = performance.now();
    utimesSync(copy, new Date(), new Date());
  });
  const more = others.length > 0 ? ` and ${others.length} more findings` : '';
  check(finding === undefined, 'DataCorruptionDetected', `${from} is damaged, so it was not copied: ${finding}${more}`);
}

function makeFile(path: string, name: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new MongoError('InvalidOptions', `${name} cannot be made (${messageOf(error)})`);
  }
}

/**
 * Moves the log of a database into its file, if there is one.
 *
 * @throws MongoError if another process has it open
 */
export function requireUnused(file: string): void {
  if (existsSync(file)) withDatabase(file, (sqlite) => endLog(sqlite, file));
}

/** Removes a database's log, unless another process has it open: if it stayed, it would be read as that of the next file. */
function foldLog(file: string): void {
  requireUnused(file);
  checkFiles(!existsSync(`${file}-wal`), `${file}-wal is the log of another file: move it away before restoring`);
}

function endLog(sqlite: Sqlite, file: string): void {
  try {
    sqlite.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (primaryCode(error) !== SQLITE_BUSY) throw error;
    throw new MongoError('InvalidOptions', `${file} is in use: stop the service first`);
  }
}

function withDatabase(file: string, work: (sqlite: Sqlite) => void): void {
  const sqlite = findSqliteEngine().open(file);
  try {
    work(sqlite);
  } catch (error) {
    const { codeName, message } = clientError(error);
    throw error instanceof MongoError ? error : new MongoError(codeName, `${file} cannot be used: ${message}`);
  } finally {
    sqlite.close();
  }
}

function synchronize(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function checkFiles(condition: boolean, message: string): void {
  check(condition, 'InvalidOptions', message);
}
