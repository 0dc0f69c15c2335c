import type { mongo } from 'mongoose';

import { isDuplicateKey } from '../store/duplicate-key.ts';

import type { Migration } from './versions/migration.ts';

/** A completed migration. */
export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly started: Date;
  readonly finished: Date;
  readonly changed: number;
}

/** State of the stored data: one document, so that each step of a migration is one atomic write. */
export interface DataVersion {
  readonly _id: 'data';
  /** Number of the last completed migration. */
  readonly version: number;
  /** Equal to `version`, for programs of 0.2 and before, which reject data by it. */
  readonly least_reader: number;
  /** The process that runs migrations, and when another may take over. */
  readonly lease: { readonly holder: string; readonly expires: Date } | null;
  /** The migration that was started and is not complete. */
  readonly running: {
    readonly number: number;
    readonly started: Date;
    /** Documents changed so far, by all its runs. */
    readonly changed: number;
    /** Documents to change in all, as counted when the last run began. */
    readonly total: number;
  } | null;
  readonly applied: readonly AppliedMigration[];
  /** True while `move` copies data here; no other process uses it then. */
  readonly moving?: true;
}

/** Data that this program cannot use as it is. Its message says what to do. */
export class DataVersionError extends Error {
  override readonly name = 'DataVersionError';
}

const COLLECTION = 'data_version';

/** Collection of the one {@link DataVersion}. */
export function dataVersions(db: mongo.Db): mongo.Collection<DataVersion> {
  return db.collection<DataVersion>(COLLECTION);
}

/** Version of the data that a program with these migrations writes. */
export function newestVersion(migrations: readonly Migration[]): number {
  return Math.max(0, ...migrations.map(({ number }) => number));
}

/** Reads the version of the data; data without one is version 0, and an empty database has the version of the program. */
export async function readDataVersion(db: mongo.Db, migrations: readonly Migration[]): Promise<DataVersion> {
  const known = await dataVersions(db).findOne({ _id: 'data' });
  if (known) return known;
  const isNew = await isEmpty(db);
  // Another process may have stored the version, and then data, in the meantime.
  return (await dataVersions(db).findOne({ _id: 'data' })) ?? firstVersion(isNew, migrations);
}

/** Reads the version of the data and stores it if it was not, so that an empty database keeps the version of the program. */
export async function storeDataVersion(db: mongo.Db, migrations: readonly Migration[]): Promise<DataVersion> {
  const known = await dataVersions(db).findOne({ _id: 'data' });
  if (known) return known;
  try {
    await dataVersions(db).insertOne(firstVersion(await isEmpty(db), migrations));
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  return readDataVersion(db, migrations);
}

/** @throws DataVersionError if only a newer program can use the data, or it has not been moved completely */
export function requireReadable({ version, moving }: DataVersion, migrations: readonly Migration[]): void {
  if (moving) throw new DataVersionError('Not all data has been moved here: repeat waybridge move to resume it');
  const newest = newestVersion(migrations);
  if (version <= newest) return;
  throw new DataVersionError(
    `The data has version ${version}, which is newer than the version ${newest} of this program: start the newer program that ` +
      'migrated it, or restore a backup from before',
  );
}

/** @throws DataVersionError if migrations are due, or if only a newer program can use the data */
export function requireMigrated(data: DataVersion, migrations: readonly Migration[]): void {
  requireReadable(data, migrations);
  const newest = newestVersion(migrations);
  if (data.version >= newest) return;
  throw new DataVersionError(
    `The data has version ${data.version} and this program needs version ${newest}: stop servers of the older version, ` +
      'then run waybridge migrate or start the service, which migrates too',
  );
}

function firstVersion(isNew: boolean, migrations: readonly Migration[]): DataVersion {
  const version = isNew ? newestVersion(migrations) : 0;
  return {
    _id: 'data',
    version,
    least_reader: version,
    lease: null,
    running: null,
    applied: [],
  };
}

/** Returns true if a database has no documents except the version of its data. */
export async function isEmpty(db: mongo.Db): Promise<boolean> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  for (const { name } of collections) {
    if (name === COLLECTION || name.startsWith('system.')) continue;
    if (await db.collection(name).findOne({}, { projection: { _id: 1 } })) return false;
  }
  return true;
}
