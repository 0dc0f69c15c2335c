import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import mongoose from 'mongoose';
import { afterAll, beforeAll } from 'vitest';

/** Address of the database server of this process, started by the first file that needs one. */
let server: Promise<string> | undefined;

/**
 * Gives a test file a database with a name of its own, dropped after it: on the server of `MONGODB_URI`, or on an embedded
 * one that the files of a worker share. Models must have been imported; their indexes are there before the first test.
 */
export function useDatabase(): void {
  beforeAll(async () => {
    server ??= startServer();
    await mongoose.connect(await server, { dbName: `test_${randomUUID().slice(0, 8)}` });
    await Promise.all(Object.values(mongoose.models).map((model) => model.createIndexes()));
  });

  afterAll(async () => {
    await mongoose.connection.dropDatabase();
    await mongoose.disconnect();
  });
}

/** Starts a server that ends with this process, on a file that is removed with the folder of the run. */
async function startServer(): Promise<string> {
  const { MONGODB_URI } = process.env;
  if (MONGODB_URI) return MONGODB_URI;
  const { startEmbeddedDatabase } = await import('../../embedded/embedded-database.ts');
  const folder = await mkdtemp(join(tmpdir(), 'database-'));
  return (await startEmbeddedDatabase({ file: join(folder, 'test.db') })).uri;
}
