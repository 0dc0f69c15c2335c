import { setTimeout as pause } from 'node:timers/promises';

import type { mongo } from 'mongoose';

import { MIGRATIONS } from './versions/all-migrations.ts';
import type { AppliedMigration, DataVersion } from './data-version.ts';
import { dataVersions, newestVersion, requireReadable, storeDataVersion } from './data-version.ts';
import type { Migration } from './versions/migration.ts';
import { type HeldLease, LeaseLostError, withMigrationLease } from './migration-lease.ts';

/** Interval at which a process that waits for another checks again. */
const LOOK_EVERY_MS = 250;
/** Number of runs after which a migration that still finds something to change fails. */
const MAX_RUNS = 5;

/** Progress of a migration, in this process or another. */
export interface MigrationProgress {
  readonly number: number;
  /** Number of the last migration of this program. */
  readonly last: number;
  readonly name: string;
  readonly changed: number;
  readonly total: number;
  /** True if another process runs it and this one waits. */
  readonly isElsewhere: boolean;
}

/** A migration that failed. Its message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** Settings of {@link runMigrations}. */
export interface MigrateOptions {
  readonly migrations?: readonly Migration[];
  readonly onProgress?: (progress: MigrationProgress) => void;
}

/**
 * Brings the data to the version of this program: runs each migration that is due, once, while other processes wait; an
 * interrupted run continues where it stopped. Returns those that this process has finished.
 * @throws DataVersionError if only a newer program can use the data; MigrationError if a migration fails
 */
export async function runMigrations(db: mongo.Db, options: MigrateOptions = {}): Promise<readonly AppliedMigration[]> {
  const { migrations = MIGRATIONS, onProgress = () => undefined } = options;
  const finished: AppliedMigration[] = [];
  const last = newestVersion(migrations);
  for (;;) {
    const data = await storeDataVersion(db, migrations);
    requireReadable(data, migrations);
    if (data.version >= last) return finished;
    try {
      const isMine = await withMigrationLease(db, async (lease) => {
        for (;;) {
          const now = await storeDataVersion(db, migrations);
          const next = migrations.find(({ number }) => number === now.version + 1);
          if (next === undefined) return;
          const report: Report = (done) => onProgress({ ...done, last, isElsewhere: false });
          finished.push(await runOne(db, next, now, lease, report));
        }
      });
      if (isMine) continue;
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
    }
    await showOther(db, migrations, (done) => onProgress({ ...done, last, isElsewhere: true }));
    await pause(LOOK_EVERY_MS);
  }
}

type Report = (done: Omit<MigrationProgress, 'last' | 'isElsewhere'>) => void;

async function runOne(db: mongo.Db, migration: Migration, before: DataVersion, lease: HeldLease, report: Report) {
  const { number, name } = migration;
  const begun = before.running?.number === number ? before.running : { started: new Date(), changed: 0 };
  const { started } = begun;
  let { changed } = begun;
  try {
    const total = changed + (await migration.pending(db));
    await lease.update({ $set: { running: { number, started, changed, total } } });
    report({ number, name, changed, total });
    const count = async (more: number) => {
      changed += more;
      await lease.update({ $set: { 'running.changed': changed } });
      report({ number, name, changed, total });
    };
    await runUntilDone(db, migration, count);
    const applied = { number, name, started, finished: new Date(), changed };
    const done = { $set: { version: number, least_reader: number, running: null }, $push: { applied } };
    await lease.update(done, { version: number - 1 });
    return applied;
  } catch (error) {
    if (error instanceof LeaseLostError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(
      `Migration ${number} (${name}) failed after ${changed} changes: ${reason}; the changes so far are kept, and the next ` +
        'start or waybridge migrate continues from there',
      { cause: error },
    );
  }
}

/** Servers of an older program may still write outdated data, so each run is followed by a check. */
async function runUntilDone(db: mongo.Db, migration: Migration, count: (more: number) => Promise<void>): Promise<void> {
  for (let runs = 1; ; runs += 1) {
    await migration.run({ db, count });
    const left = await migration.pending(db);
    if (left === 0) return;
    if (runs === MAX_RUNS)
      throw new Error(`${left} documents are still to be changed; stop servers of an older version`);
  }
}

async function showOther(db: mongo.Db, migrations: readonly Migration[], report: Report): Promise<void> {
  const running = (await dataVersions(db).findOne({ _id: 'data' }))?.running;
  const migration = migrations.find(({ number }) => number === running?.number);
  if (running && migration) report({ ...running, name: migration.name });
}
