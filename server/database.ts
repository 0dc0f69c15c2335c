import mongoose from 'mongoose';

import { encryptKeysWith } from '../auth/key-encryption.ts';
import { keepSecurityEventsFor } from '../auth/security-events.ts';

import type { Config } from './config.ts';
import { databaseFile, makeDataFolder } from './data-folder.ts';
import { isDatabaseUnreachable } from './database-unreachable.ts';
import { createIndexes } from './indexes.ts';

/** How long to look for a database that does not answer, in milliseconds. */
const SELECT_WITHIN_MS = 5000;

/** What the database is called where the connection string does not say. */
const DEFAULT_NAME = 'waybridge';

/** The database of this process, connected. */
export interface Database {
  /** What it is and where, for people: never with a password. */
  readonly description: string;
  /** Whether it is the embedded one, whose file is in the data folder. */
  readonly isEmbedded: boolean;
  /** Rejects when the database cannot be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A database that cannot be used. Its message says what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/**
 * Connects the models to the database of `MONGODB_URI`, or to the embedded one in the data folder, which other processes
 * may use at the same time. Keys in it are encrypted by the configured secret, security events kept for the configured days.
 *
 * @param makesIndexes whether to make the indexes that are missing; what writes into an empty database does so
 * @throws DatabaseError where it cannot be reached or opened, StartError where the data folder cannot be made
 */
export async function openDatabase(config: Config, makesIndexes: boolean): Promise<Database> {
  encryptKeysWith(config.keyEncryptionSecret);
  keepSecurityEventsFor(config.securityLogDays);
  return config.mongodbUri === null
    ? openEmbedded(config.dataDir, makesIndexes)
    : openMongodb(config.mongodbUri, makesIndexes);
}

async function openMongodb(uri: string, makesIndexes: boolean): Promise<Database> {
  try {
    await connect(uri, makesIndexes);
  } catch (error) {
    await mongoose.disconnect();
    const reason = error instanceof Error ? error.name : 'unknown reason';
    throw new DatabaseError(
      isDatabaseUnreachable(error)
        ? `The database at ${placeOf(uri)} does not answer; start it, or correct MONGODB_URI`
        : `The database at ${placeOf(uri)} refuses to work (${reason}); check the user, password and name in MONGODB_URI`,
      { cause: error },
    );
  }
  return { description: `MongoDB at ${placeOf(uri)}`, isEmbedded: false, ping, close: () => mongoose.disconnect() };
}

async function openEmbedded(dataDir: string, makesIndexes: boolean): Promise<Database> {
  await makeDataFolder(dataDir);
  const file = databaseFile(dataDir);
  const { startEmbeddedDatabase } = await import('../embedded/embedded-database.ts');
  try {
    const embedded = await startEmbeddedDatabase({ file });
    const close = async () => {
      await mongoose.disconnect();
      await embedded.close();
    };
    await connect(embedded.uri, makesIndexes).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    return { description: `embedded (${embedded.engine}) in ${file}`, isEmbedded: true, ping, close };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(
      `The database file ${file} cannot be opened (${reason}); check that DATA_DIR can be written`,
      {
        cause: error,
      },
    );
  }
}

async function connect(uri: string, makesIndexes: boolean): Promise<void> {
  const namesDatabase = /^mongodb(?:\+srv)?:\/\/[^?]*\/[^/?]+(?:\?|$)/.test(uri.replace(/\/\/.*@/, '//'));
  await mongoose.connect(uri, {
    ...(namesDatabase ? {} : { dbName: DEFAULT_NAME }),
    serverSelectionTimeoutMS: SELECT_WITHIN_MS,
    autoCreate: false,
    autoIndex: false,
  });
  if (makesIndexes) await createIndexes();
}

async function ping(): Promise<void> {
  await mongoose.connection.db?.admin().ping();
}

/** Hosts and database of a connection string, without user, password and options. */
function placeOf(uri: string): string {
  return uri.replace(/^(mongodb(?:\+srv)?:\/\/)(?:.*@)?([^?]*).*$/s, '$1$2');
}
