import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import mongoose from 'mongoose';
import { afterAll, beforeAll } from 'vitest';

/** Address of the database server of this process, started by the first file that needs one. */
let server: Promise<string> | undefined;

const dbName = `test_${randomUUID().slice(0, 8)}`;

/** Models whose indexes are there: they are made once a process, since those of thirty collections take a third of a second. */
const indexed = new Set<mongoose.Model<unknown>>();

/**
 * Gives a test file an empty database, on the server of `MONGODB_URI`, or on an embedded one that the files of a worker
 * share. Models must have been imported; their indexes are there before the first test.
 */
export function useDatabase(): void {
  beforeAll(async () => {
    server ??= startServer();
    await mongoose.connect(await server, { dbName });
    // What the file before had under way may have read them once more, until it was disconnected.
    await clearCachedSecrets();
    const others = Object.values(mongoose.models).filter((model) => !indexed.has(model));
    await Promise.all(others.map((model) => model.createIndexes()));
    for (const model of others) indexed.add(model);
  });

  afterAll(async () => {
    // A server that others use keeps nothing; the embedded one ends with this process.
    if (process.env.MONGODB_URI) await mongoose.connection.dropDatabase();
    // Where the database was dropped, here or by the file, there are no indexes.
    if ((await emptyDatabase()) < indexed.size) indexed.clear();
    await mongoose.disconnect();
  });
}

/** Removes all documents; returns the number of collections. */
export async function emptyDatabase(): Promise<number> {
  const collections = (await mongoose.connection.db?.collections()) ?? [];
  await Promise.all(collections.map((collection) => collection.deleteMany()));
  await clearCachedSecrets();
  return collections.length;
}

/** Clears what is kept in memory for a time in which the next file may have begun. */
async function clearCachedSecrets(): Promise<void> {
  const { clearSigningKeys } = await import('../../auth/signing-keys.ts');
  const { clearServiceSecrets } = await import('../../models/service-secret.ts');
  clearSigningKeys();
  clearServiceSecrets();
}

/** Starts a server that ends with this process, on a file that is removed with the folder of the run. */
async function startServer(): Promise<string> {
  const { MONGODB_URI } = process.env;
  if (MONGODB_URI) return MONGODB_URI;
  const { startEmbeddedDatabase } = await import('../../embedded/embedded-database.ts');
  const folder = await mkdtemp(join(tmpdir(), 'database-'));
  // Tests set the clock back: what they have just stored may be expired by that of the machine.
  return (await startEmbeddedDatabase({ file: join(folder, 'test.db'), ttlMonitorEnabled: false })).uri;
}
