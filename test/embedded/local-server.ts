import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { mongo } from 'mongoose';

import { Cursors } from '../../embedded/commands/cursors.ts';
import { ReadFaults } from '../../embedded/commands/read-faults.ts';
import { Sessions } from '../../embedded/commands/sessions.ts';
import { createMongoServer } from '../../embedded/server.ts';
import { findSqliteEngine } from '../../embedded/storage/sqlite.ts';
import type { Sqlite } from '../../embedded/storage/sqlite.ts';
import { Store } from '../../embedded/storage/store.ts';

/** The server on this thread, with its parts in reach of a test. */
export interface LocalServer {
  readonly store: Store;
  readonly cursors: Cursors;
  readonly client: mongo.MongoClient;
  readonly socketPath: string;
  readonly file: string;
  close(): Promise<void>;
}

/** Starts a server on this thread; `prepare` is done to each SQLite connection, and reads may decode `allowance` documents. */
export async function startLocalServer(
  prepare: (sqlite: Sqlite) => void = () => {},
  allowance?: number,
): Promise<LocalServer> {
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
  const file = join(folder, 'test.db');
  const socketPath = join(folder, 'db.sock');
  const engine = findSqliteEngine();
  const open = (name: string) => {
    const sqlite = engine.open(name);
    prepare(sqlite);
    return sqlite;
  };
  const store = new Store({ name: engine.name, open }, file, allowance);
  const cursors = new Cursors();
  const server = createMongoServer({ cursors, sessions: new Sessions(store), faults: new ReadFaults() });
  await new Promise<void>((listening) => server.listen(socketPath, listening));
  const client = await new mongo.MongoClient(
    `mongodb://${encodeURIComponent(socketPath)}/?directConnection=true`,
  ).connect();
  const close = async () => {
    await client.close();
    await new Promise((closed) => server.close(closed));
    store.close();
    await rm(folder, { recursive: true });
  };
  return { store, cursors, client, socketPath, file, close };
}
