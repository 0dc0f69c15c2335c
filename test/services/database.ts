import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import mongoose from 'mongoose';
import { afterAll, beforeAll } from 'vitest';

/**
 * Gives a test file a database of its own, dropped after it: on the server of `MONGODB_URI`, or the embedded one in a
 * temporary folder. Models must have been imported; their indexes are there before the first test.
 */
export function useDatabase(): void {
  let close: () => Promise<void>;

  beforeAll(async () => {
    const { uri, end } = await database();
    await mongoose.connect(uri, { dbName: `test_${randomUUID().slice(0, 8)}` });
    await Promise.all(Object.values(mongoose.models).map((model) => model.createIndexes()));
    close = async () => {
      await mongoose.connection.dropDatabase();
      await mongoose.disconnect();
      await end();
    };
  });

  afterAll(async () => close());
}

async function database(): Promise<{ uri: string; end: () => Promise<void> }> {
  const { MONGODB_URI } = process.env;
  if (MONGODB_URI) return { uri: MONGODB_URI, end: async () => {} };
  const { startEmbeddedDatabase } = await import('../../embedded/embedded-database.ts');
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
  const embedded = await startEmbeddedDatabase({ file: join(folder, 'test.db') });
  return {
    uri: embedded.uri,
    end: async () => {
      await embedded.close();
      await rm(folder, { recursive: true });
    },
  };
}
