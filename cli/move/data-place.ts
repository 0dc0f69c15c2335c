import { resolve } from 'node:path';

import { mongo } from 'mongoose';

import { CommandError } from '../shell/command-error.ts';
import { databaseFile, makeDataFolder } from '../../server/database/data-folder.ts';
import { DatabaseError, databaseName, placeOf, reasonOf, SELECT_WITHIN_MS } from '../../server/database/database.ts';

/** A place for data: a MongoDB by its connection string, or the data folder of an embedded database. */
export type DataPlace = { readonly uri: string } | { readonly dataDir: string };

/** The data of a place, connected without models: as it is stored. */
export interface OpenData {
  readonly db: mongo.Db;
  /** For people: never with a password. */
  readonly description: string;
  close(): Promise<void>;
}

/** The place that a connection string names, or else the path of a folder. */
export function dataPlace(address: string): DataPlace {
  return /^mongodb(?:\+srv)?:\/\//.test(address) ? { uri: address } : { dataDir: address };
}

/** Names a place for people: never with a password. */
function describePlace(place: DataPlace): string {
  return 'uri' in place ? placeOf(place.uri) : resolve(databaseFile(place.dataDir));
}

/**
 * Opens the data of a place that no other process uses, which is certain for an embedded database only.
 *
 * @throws DatabaseError if it cannot be reached, CommandError if it is in use
 */
export async function openData(place: DataPlace): Promise<OpenData> {
  if ('uri' in place) return connectTo(place.uri, describePlace(place), async () => undefined);
  const { requireUnused } = await import('../../embedded/backup.ts');
  const { startEmbeddedDatabase } = await import('../../embedded/embedded-database.ts');
  const file = databaseFile(place.dataDir);
  await makeDataFolder(place.dataDir);
  try {
    requireUnused(file);
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error), { cause: error });
  }
  const { uri, close } = await startEmbeddedDatabase({ file });
  return connectTo(uri, describePlace(place), close);
}

async function connectTo(uri: string, description: string, closeServer: () => Promise<void>): Promise<OpenData> {
  try {
    const client = new mongo.MongoClient(uri, {
      serverSelectionTimeoutMS: SELECT_WITHIN_MS,
      writeConcern: { w: 'majority' },
    });
    await client.connect();
    const close = async () => {
      await client.close();
      await closeServer();
    };
    return { db: client.db(databaseName(uri)), description, close };
  } catch (error) {
    await closeServer();
    throw new DatabaseError(`The database at ${description} cannot be used (${reasonOf(error, uri)})`, {
      cause: error,
    });
  }
}
