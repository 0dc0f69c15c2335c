import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import mongoose from 'mongoose';

import { MIGRATIONS } from '../../models/migrations/versions/all-migrations.ts';
import {
  DataVersionError,
  readDataVersion,
  requireMigrated,
  storeDataVersion,
} from '../../models/migrations/data-version.ts';
import { MigrationError, type MigrationProgress, runMigrations } from '../../models/migrations/run-migrations.ts';

import { Service } from '../../models/store/service.ts';
import type { Config } from '../configuration/config.ts';
import { notificationSender } from './notification-sender.ts';
import { databaseFile, makeDataFolder } from './data-folder.ts';
import { isTraced } from '../../http/observing/tracing.ts';
import { traceCommands } from './command-spans.ts';
import { decodedPath } from '../../http/requests/decoded-path.ts';
import { isDatabaseUnreachable } from '../../http/answers/database-unreachable.ts';
import { adviceOnFile } from './file-advice.ts';
import { createIndexes, IndexError } from './indexes.ts';
import { readPast } from './point-reads.ts';

/** Timeout for finding a database server, in milliseconds. */
export const SELECT_WITHIN_MS = 5000;

/**
 * Options by which a server that accepts connections and does not answer is found, in milliseconds: its monitor asks every two seconds, waits
 * three, and then ends the operations that wait. Long commands of a server that answers its monitor go on; those that get no connection
 * meanwhile end.
 */
const MONITORING = { heartbeatFrequencyMS: 2000, connectTimeoutMS: 3000, waitQueueTimeoutMS: 10_000 } as const;

/** Name of the database if the connection string has none. */
const DEFAULT_NAME = 'waybridge';

/** The database of a service, connected. */
export interface Database {
  /** The service to which it belongs. */
  readonly service: Service;
  /** Description of the database for people, never with a password. */
  readonly description: string;
  /** True for the embedded database, whose file is in the data folder. */
  readonly isEmbedded: boolean;
  /** Address of the embedded database for other processes of this user; null if it is not of this process. */
  readonly embeddedAt: string | null;
  /** Rejects when the database cannot be reached, or cannot be written. */
  ping(): Promise<void>;
  /**
   * Overwrites what deleted records have left in the file of the embedded database; false if it has to be repeated later.
   * MongoDB manages its own files.
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
  /**
   * True in a process that answers requests: small reads go past the wire, if the configuration says so. Their file stays open
   * until the process ends, since the package for SQLite ends no statement before.
   */
  readonly answers?: boolean;
}

/**
 * Makes a service, connected to the database of `MONGODB_URI`, or to the embedded one in the data folder, which other processes
 * may use at the same time. Keys in it are encrypted by the configured secret, security events kept for the configured days.
 *
 * @param makesIndexes true to make missing indexes, and the embedded database if it is missing
 * @throws DatabaseError if it is missing, or cannot be reached or opened, StartError if the data folder cannot be created
 * @throws DataVersionError, MigrationError or IndexError if the data does not fit this program
 */
export async function openDatabase(
  config: Config,
  makesIndexes: boolean,
  options: OpenOptions = {},
): Promise<Database> {
  const service = new Service({
    connection: mongoose.createConnection(),
    settings: config,
    sender: notificationSender(config.webhookNetworks),
  });
  const prepare = () => prepareData(service, makesIndexes, options);
  if (config.mongodbUri !== null) return openMongodb(service, config.mongodbUri, prepare);
  const openReads = () => (options.answers ? openPointReads(service, config) : Promise.resolve(() => undefined));
  if (options.embeddedAt) return openWorker(service, options.embeddedAt, openReads, prepare);
  if (!makesIndexes && !existsSync(databaseFile(config.dataDir))) {
    const folder = resolve(config.dataDir);
    throw new DatabaseError(
      `There is no database in ${folder}; set DATA_DIR to the folder of the service, or start it`,
    );
  }
  return openEmbedded(service, config, openReads, prepare);
}

/** Opens the embedded database of another process of this machine. */
async function openWorker(
  service: Service,
  uri: string,
  openReads: () => Promise<() => void>,
  prepare: () => Promise<void>,
): Promise<Database> {
  const closeReads = await openReads();
  try {
    const database = await openServer(service, uri, prepare);
    return { ...database, close: () => database.close().finally(closeReads) };
  } catch (error) {
    closeReads();
    throw error;
  }
}

/** Lets the models of a service read few records past the wire; returns the function that ends this. */
async function openPointReads({ connection }: Service, { pointReads, dataDir }: Config): Promise<() => void> {
  // Spans are made of what the driver sends.
  if (pointReads === 'off' || isTraced()) return () => undefined;
  const { PointReads } = await import('../../embedded/point-reads.ts');
  const reads = new PointReads(databaseFile(dataDir));
  readPast(connection, reads);
  return () => reads.close();
}

async function openMongodb(service: Service, uri: string, prepare: () => Promise<void>): Promise<Database> {
  try {
    return await openServer(service, uri, prepare);
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

async function openServer(service: Service, uri: string, prepare: () => Promise<void>): Promise<Database> {
  try {
    await connect(service, uri);
    await prepare();
  } catch (error) {
    await service.connection.close();
    throw error;
  }
  return {
    service,
    description: `MongoDB at ${placeOf(uri)}`,
    isEmbedded: false,
    embeddedAt: null,
    ping: () => ping(service),
    erase: async () => true,
    close: () => service.connection.close(),
  };
}

async function openEmbedded(
  service: Service,
  config: Config,
  openReads: () => Promise<() => void>,
  prepare: () => Promise<void>,
): Promise<Database> {
  const { dataDir } = config;
  await makeDataFolder(dataDir);
  const file = databaseFile(dataDir);
  const { startEmbeddedDatabase } = await import('../../embedded/embedded-database.ts');
  try {
    const embedded = await startEmbeddedDatabase({ file });
    const closeReads = await openReads();
    const close = async () => {
      await service.connection.close();
      // The last to close the file is the database.
      closeReads();
      await embedded.close();
    };
    try {
      await connect(service, embedded.uri);
      await prepare();
    } catch (error) {
      await close();
      throw error;
    }
    return {
      service,
      description: `embedded (${embedded.engine}) in ${file}`,
      isEmbedded: true,
      embeddedAt: embedded.uri,
      ping: () => ping(service),
      erase: embedded.erase,
      close,
    };
  } catch (error) {
    if (isAboutData(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(`The database file ${file} cannot be opened (${reason}); ${adviceOnFile(error)}`, {
      cause: error,
    });
  }
}

async function connect({ connection, settings }: Service, uri: string): Promise<void> {
  const monitorCommands = isTraced();
  await connection.openUri(uri, {
    monitorCommands,
    dbName: databaseName(uri),
    serverSelectionTimeoutMS: SELECT_WITHIN_MS,
    // The thread of the embedded database answers nothing else while it makes an index.
    ...(settings.mongodbUri !== null && notNamedIn(uri, MONITORING)),
    autoCreate: false,
    autoIndex: false,
  });
  if (monitorCommands) traceCommands(connection.getClient());
}

/** The options that a connection string does not set itself. */
function notNamedIn(uri: string, options: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const named = new Set([...new URLSearchParams(uri.split('?')[1]).keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(options).filter(([name]) => !named.has(name.toLowerCase())));
}

/** The database that a connection string names; `waybridge` if it names none. */
export function databaseName(uri: string): string {
  const [, name] = /^mongodb(?:\+srv)?:\/\/[^?]*\/([^/?]+)(?:\?|$)/.exec(uri.replace(/\/\/.*@/, '//')) ?? [];
  return name === undefined ? DEFAULT_NAME : decodeURIComponent(name);
}

/** Migrations come before indexes: they correct data that a unique index would reject. */
async function prepareData(
  service: Service,
  makesIndexes: boolean,
  { migrations = 'require', onProgress = () => undefined }: OpenOptions,
): Promise<void> {
  if (migrations === 'ignore') return;
  const db = driverOf(service);
  if (migrations === 'run') await runMigrations(db, { onProgress });
  requireMigrated(await (makesIndexes ? storeDataVersion : readDataVersion)(db, MIGRATIONS), MIGRATIONS);
  if (makesIndexes) await createIndexes(service);
}

/** The database of a service, for commands of the driver. */
export function driverOf({ connection: { db } }: Service): mongoose.mongo.Db {
  if (db === undefined) throw new TypeError('The database is not connected');
  return db;
}

/** Returns true if an error is about the data of a working database. */
function isAboutData(error: unknown): boolean {
  return error instanceof DataVersionError || error instanceof MigrationError || error instanceof IndexError;
}

/** Writes a small document: a database that only answers reads is not enough. The embedded one reports failed reads by `ping`. */
async function ping(service: Service): Promise<void> {
  const probes = driverOf(service).collection<{ _id: string }>('write_probes');
  await probes.updateOne({ _id: 'readyz' }, { $set: { at: new Date() } }, { upsert: true });
  await driverOf(service).command({ ping: 1 });
}

/** The message of an error, without the password of the connection string in any encoding. */
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
