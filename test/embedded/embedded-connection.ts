import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createConnection } from 'mongoose';
import type { Connection, mongo } from 'mongoose';
import { afterAll, beforeAll, expect } from 'vitest';

import { startEmbeddedDatabase } from '../../embedded/embedded-database.ts';
import type { EmbeddedDatabase } from '../../embedded/embedded-database.ts';

/** Connects a client that waits for a server more briefly than the first connection may take on a busy machine. */
export async function connected(client: mongo.MongoClient): Promise<void> {
  const isConnected = () =>
    client.connect().then(
      () => true,
      () => false,
    );
  await expect.poll(isConnected).toBe(true);
}

/** A running embedded database and a Mongoose connection to it. */
export interface EmbeddedConnection {
  readonly embedded: EmbeddedDatabase;
  readonly connection: Connection;
  readonly folder: string;
}

/** Gives a test file an embedded database on a file of its own, whatever MONGODB_URI says. */
export function useEmbeddedDatabase(): EmbeddedConnection {
  const parts: Partial<{ embedded: EmbeddedDatabase; connection: Connection; folder: string }> = {};

  beforeAll(async () => {
    parts.folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
    parts.embedded = await startEmbeddedDatabase({ file: join(parts.folder, 'test.db') });
    parts.connection = await createConnection(parts.embedded.uri, { dbName: 'test' }).asPromise();
  });

  afterAll(async () => {
    await parts.connection?.close();
    await parts.embedded?.close();
    if (parts.folder) await rm(parts.folder, { recursive: true });
  });

  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('The embedded database has not been started');
    return part;
  };
  return {
    get embedded() {
      return started(parts.embedded);
    },
    get connection() {
      return started(parts.connection);
    },
    get folder() {
      return started(parts.folder);
    },
  };
}
