import { execFile } from 'node:child_process';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MongoError, check, messageOf } from './bson/mongo-error.ts';
import { builtScript } from './built-script.ts';
import { BUSY_MS, checkFormat, pragma } from './storage/schema.ts';
import { SQLITE_BUSY, findSqliteEngine, primaryCode, type Sqlite } from './storage/sqlite.ts';

/** Writes a consistent copy of a database to a new file, while other processes continue using it. */
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

/** Copies into a new file that only its owner can read; leaves none behind when it fails. */
function copyInto(from: string, to: string): void {
  makeFile(to);
  try {
    copyDatabase(from, to);
    synchronize(to);
    synchronize(dirname(resolve(to)));
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  }
}

function copyDatabase(from: string, to: string): void {
  withDatabase(from, (sqlite) => {
    sqlite.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    checkFormat(sqlite, from);
    checkFiles(pragma(sqlite, 'user_version') !== 0, `${from} is empty, not a database`);
    const finding = pragma(sqlite, 'quick_check');
    checkFiles(finding === 'ok', `${from} is damaged: ${finding}`);
    sqlite.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
  });
}

function makeFile(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new MongoError('InvalidOptions', `${path} cannot be made (${messageOf(error)})`);
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
    throw new MongoError('LockBusy', `${file} is in use: stop the service first`);
  }
}

function withDatabase(file: string, work: (sqlite: Sqlite) => void): void {
  const sqlite = findSqliteEngine().open(file);
  try {
    work(sqlite);
  } catch (error) {
    if (error instanceof MongoError) throw error;
    throw new MongoError('InvalidOptions', `${file} cannot be used: ${messageOf(error)}`);
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
