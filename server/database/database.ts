import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import mongoose from 'mongoose';

import { encryptKeysWith } from '../../auth/key-encryption.ts';
import { setRefreshReuse } from '../../auth/oauth/storage/refresh-reuse.ts';
import { keepSecurityEventsFor } from '../../auth/security-events.ts';
import { setChangeLogDays } from '../../resolvers/changes/retention.ts';
import { setShareSite } from '../../resolvers/shares/manage-share.ts';
import { setNotificationSender } from '../../resolvers/webhooks/post-notification.ts';
import { MIGRATIONS } from '../../models/migrations/all-migrations.ts';
import {
  DataVersionError,
  readDataVersion,
  requireMigrated,
  storeDataVersion,
} from '../../models/migrations/data-version.ts';
import { MigrationError, type MigrationProgress, runMigrations } from '../../models/migrations/run-migrations.ts';

import type { Config } from '../configuration/config.ts';
import { notificationSender } from '../webhooks/notification-sender.ts';
import { databaseFile, makeDataFolder } from './data-folder.ts';
import { isTraced } from '../../http/observing/tracing.ts';
import { traceCommands } from './command-spans.ts';
import { decodedPath } from '../../http/requests/decoded-path.ts';
import { isDatabaseUnreachable } from '../../http/answers/database-unreachable.ts';
import { MORE_DESCRIPTORS } from '../../http/answers/few-descriptors.ts';
import { createIndexes, IndexError } from './indexes.ts';

/** Timeout for finding a database server, in milliseconds. */
export const SELECT_WITHIN_MS = 5000;

/** Name of the database where the connection string has none. */
const DEFAULT_NAME = 'waybridge';

/** The database of this process, connected. */
export interface Database {
  /** Kind and place of the database, for people: never with a password. */
  readonly description: string;
  /** True for the embedded database, whose file is in the data folder. */
  readonly isEmbedded: boolean;
  /** Address of the embedded database for other processes of this user; null where it is none of this process. */
  readonly embeddedAt: string | null;
  /** Rejects when the database cannot be reached, or cannot be written. */
  ping(): Promise<void>;
  /**
   * Overwrites what deleted records have left in the file of the embedded database; false where it has to be repeated later.
   * MongoDB's files are MongoDB's matter.
   */
  erase(signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/** A database that cannot be used. Its message says what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/** Handling of migrations when a database is opened. */
export interface OpenOptions {
  /** `run` runs those that are due, `require` (the default) rejects data that needs one, `ignore` leaves the data as it is. */
  readonly migrations?: 'run' | 'require' | 'ignore';
  readonly onProgress?: (progress: MigrationProgress) => void;
  /** Address of the embedded database in another process, which is used instead of opening its file. */
  readonly embeddedAt?: string | null;
}

/**
 * Connects the models to the database of `MONGODB_URI`, or to the embedded one in the data folder, which other processes
 * may use at the same time. Keys in it are encrypted by the configured secret, security events kept for the configured days.
 *
 * @param makesIndexes true to make missing indexes, and the embedded database where it is missing
 * @throws DatabaseError where it is missing, or cannot be reached or opened, StartError where the data folder cannot be created
 * @throws DataVersionError, MigrationError or IndexError where the data does not fit this program
 */
export async function openDatabase(
  config: Config,
  makesIndexes: boolean,
  options: OpenOptions = {},
): Promise<Database> {
  encryptKeysWith(config.keyEncryptionSecret);
  keepSecurityEventsFor(config.securityLogDays);
  setRefreshReuse(config.refreshReuseSeconds);
  setChangeLogDays(config.changeLogDays);
  setShareSite(config.siteUrl);
  setNotificationSender(notificationSender(config.webhookNetworks));
  const prepare = () => prepareData(makesIndexes, options);
  if (config.mongodbUri !== null) return openMongodb(config.mongodbUri, prepare);
  if (options.embeddedAt) return openServer(options.embeddedAt, prepare);
  if (!makesIndexes && !existsSync(databaseFile(config.dataDir))) {
    const folder = resolve(config.dataDir);
    throw new DatabaseError(
      `There is no database in ${folder}; set DATA_DIR to the folder of the service, or start it`,
    );
  }
  return openEmbedded(config.dataDir, prepare);
}

async function openMongodb(uri: string, prepare: () => Promise<void>): Promise<Database> {
  try {
    return await openServer(uri, prepare);
  } catch (error) {
    if (isAboutData(error) && !isDatabaseUnreachable(error)) throw error;
    const reason = reasonOf(error, uri);
    throw new DatabaseError(
      isDatabaseUnreachable(error)
        ? `The database at ${placeOf(uri)} does not answer (${reason}); start it, or correct MONGODB_URI`
        : `The database at ${placeOf(uri)} cannot be used (${reason}); check the user, password and name in MONGODB_URI`,
      { cause: error },
    );
  }
}

async function openServer(uri: string, prepare: () => Promise<void>): Promise<Database> {
  try {
    await connect(uri);
    await prepare();
  } catch (error) {
    await mongoose.disconnect();
    throw error;
  }
  return {
    description: `MongoDB at ${placeOf(uri)}`,
    isEmbedded: false,
    embeddedAt: null,
    ping,
    erase: async () => true,
    close: () => mongoose.disconnect(),
  };
}

async function openEmbedded(dataDir: string, prepare: () => Promise<void>): Promise<Database> {
  await makeDataFolder(dataDir);
  const file = databaseFile(dataDir);
  const { startEmbeddedDatabase } = await import('../../embedded/embedded-database.ts');
  try {
    const embedded = await startEmbeddedDatabase({ file });
    const close = async () => {
      await mongoose.disconnect();
      await embedded.close();
    };
    try {
      await connect(embedded.uri);
      await prepare();
    } catch (error) {
      await close();
      throw error;
    }
    return {
      description: `embedded (${embedded.engine}) in ${file}`,
      isEmbedded: true,
      embeddedAt: embedded.uri,
      ping,
      erase: embedded.erase,
      close,
    };
  } catch (error) {
    if (isAboutData(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(`The database file ${file} cannot be opened (${reason}); ${adviceOn(reason)}`, {
      cause: error,
    });
  }
}

/** Tells what to do about a file that cannot be opened, by SQLite's or the system's words. */
function adviceOn(reason: string): string {
  if (/malformed|not a database|corrupt/i.test(reason)) {
    return '"waybridge check" lists the damage, and "waybridge restore" restores a backup';
  }
  if (/EMFILE|ENFILE/.test(reason)) return MORE_DESCRIPTORS;
  // Without descriptors, SQLite does not open the file, and the thread of the database does not accept our connections.
  const mayBeDescriptors = /unable to open|EPIPE|ECONNRESET/.test(reason);
  return `check that DATA_DIR is writable${mayBeDescriptors ? `, and ${MORE_DESCRIPTORS}` : ''}`;
}

async function connect(uri: string): Promise<void> {
  const monitorCommands = isTraced();
  await mongoose.connect(uri, {
    monitorCommands,
    dbName: databaseName(uri),
    serverSelectionTimeoutMS: SELECT_WITHIN_MS,
    autoCreate: false,
    autoIndex: false,
  });
  if (monitorCommands) traceCommands(mongoose.connection.getClient());
}

/** The database that a connection string names; `waybridge` where it names none. */
export function databaseName(uri: string): string {
  const [, name] = /^mongodb(?:\+srv)?:\/\/[^?]*\/([^/?]+)(?:\?|$)/.exec(uri.replace(/\/\/.*@/, '//')) ?? [];
  return name === undefined ? DEFAULT_NAME : decodeURIComponent(name);
}

/** Migrations come before indexes: what a unique index would refuse is put right by them. */
async function prepareData(
  makesIndexes: boolean,
  { migrations = 'require', onProgress = () => undefined }: OpenOptions,
): Promise<void> {
  if (migrations === 'ignore') return;
  const db = connectedDatabase();
  if (migrations === 'run') await runMigrations(db, { onProgress });
  requireMigrated(await (makesIndexes ? storeDataVersion : readDataVersion)(db, MIGRATIONS), MIGRATIONS);
  if (makesIndexes) await createIndexes();
}

/** The database that the models are connected to. */
export function connectedDatabase(): mongoose.mongo.Db {
  const { db } = mongoose.connection;
  if (db === undefined) throw new TypeError('The database is not connected');
  return db;
}

/** Tells whether an error is about the data of a working database. */
function isAboutData(error: unknown): boolean {
  return error instanceof DataVersionError || error instanceof MigrationError || error instanceof IndexError;
}

/** Writes something small: a database that only answers does not serve. */
async function ping(): Promise<void> {
  const probes = mongoose.connection.db?.collection<{ _id: string }>('write_probes');
  await probes?.updateOne({ _id: 'readyz' }, { $set: { at: new Date() } }, { upsert: true });
}

/** An error's own words, without the password of the connection string, however it is written. */
export function reasonOf(error: unknown, uri: string): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  const [, userInfo = ''] = /^mongodb(?:\+srv)?:\/\/(.*)@/s.exec(uri) ?? [];
  const password = userInfo.slice(userInfo.indexOf(':') + 1);
  return [userInfo, password, decodedPath(password)]
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '***'), first);
}

/** Hosts and database of a connection string, without user, password and options. */
export function placeOf(uri: string): string {
  return uri.replace(/^(mongodb(?:\+srv)?:\/\/)(?:.*@)?([^?]*).*$/s, '$1$2');
}
