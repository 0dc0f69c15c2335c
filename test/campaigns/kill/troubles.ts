import { execFileSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';

import { findSqliteEngine } from '../../../embedded/storage/sqlite.ts';
import type { Random } from '../../../server/demo/random.ts';

import { losePower } from './power-loss.ts';

/** Something that is wrong with the machine at the time of a kill. */
export type Trouble = 'none' | 'power loss' | 'I/O errors' | 'clock step' | 'lock held';

/** Troubles of rounds, in turn. */
export const TROUBLES: readonly Trouble[] = ['lock held', 'I/O errors', 'power loss', 'clock step', 'none'];

/** Troubles that do not need the file of the database. */
export const TROUBLES_OF_SERVERS: readonly Trouble[] = ['clock step', 'none'];

const YEARS_MS = 10 * 365.25 * 86_400_000;
const STEPS_MS = [3_600_000, -3_600_000, YEARS_MS, -YEARS_MS];

/** Objects of a trouble. */
export interface Machine {
  /** Process ids of the servers. */
  readonly pids: readonly number[];
  /** File of the embedded database. */
  readonly file: string;
  /** The file that `stepped-clock.mjs` reads. */
  readonly clockFile: string;
  readonly random: Random;
}

/** Begins a trouble; returns the function that ends it, after the kill. */
export function beginTrouble(trouble: Trouble, machine: Machine): () => void {
  if (trouble === 'power loss') return () => losePower(machine.file, machine.random);
  if (trouble === 'I/O errors') return failWrites(machine);
  if (trouble === 'clock step') return stepClock(machine);
  return trouble === 'lock held' ? lock(machine.file) : () => undefined;
}

/** Has writes of the servers fail beyond a place in their files, within a page or between two, by a limit on the size of files. */
function failWrites({ pids, file, random }: Machine): () => void {
  const limit = Math.floor(random.next() * statSync(`${file}-wal`).size);
  limitSize(pids, String(limit));
  return () => limitSize(pids.filter(isRunning), 'unlimited');
}

function limitSize(pids: readonly number[], size: string): void {
  for (const pid of pids) execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:`]);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function stepClock({ clockFile, random }: Machine): () => void {
  setClock(clockFile, STEPS_MS[Math.floor(random.next() * STEPS_MS.length)] ?? 0);
  return () => setClock(clockFile, 0);
}

/** Sets the clock of the servers and commands of a campaign, in milliseconds from the true time. */
export function setClock(clockFile: string, offset: number): void {
  writeFileSync(clockFile, String(offset));
}

/** Has the lock of the writer of a file, if it is free within five seconds, and returns what releases it. */
function lock(file: string): () => void {
  const sqlite = findSqliteEngine().open(file);
  try {
    sqlite.exec('PRAGMA busy_timeout = 5000');
    sqlite.exec('BEGIN IMMEDIATE');
  } catch {
    // The servers write all the time.
  }
  return () => sqlite.close();
}
