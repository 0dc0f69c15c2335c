import { chmodSync } from 'node:fs';
import type { Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from './bson/mongo-error.ts';
import { CURSOR_TIMEOUT_MS, Cursors } from './commands/cursors.ts';
import { expireDocuments } from './expire-documents.ts';
import { createMongoServer } from './server.ts';
import { findSqliteEngine } from './storage/sqlite.ts';
import { Store } from './storage/store.ts';

/** Input of the worker: the database file, and the socket to listen on; without one, a free loopback port. */
export interface WorkerInput {
  readonly file: string;
  readonly socketPath: string | undefined;
}

/** The one message of the worker: it is ready, or the reason of its failure. */
export type WorkerMessage =
  | { readonly ready: { readonly engine: string; readonly port: number } }
  | { readonly failed: string };

const CLEAN_UP_MS = 60_000;

/** Runs the server until the parent asks it to stop. */
function main({ file, socketPath }: WorkerInput): void {
  const engine = findSqliteEngine();
  const store = new Store(engine, file);
  const cursors = new Cursors();
  const server = createMongoServer(store, cursors);
  const sockets = new Set<Socket>();
  const cleaning = setInterval(() => cleanUp(store, cursors), CLEAN_UP_MS);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('error', (error) => post({ failed: error.message }));
  server.listen(socketPath === undefined ? { host: '127.0.0.1', port: 0 } : { path: socketPath }, () => {
    if (socketPath !== undefined) chmodSync(socketPath, 0o600);
    const address = server.address();
    post({ ready: { engine: engine.name, port: typeof address === 'object' && address ? address.port : 0 } });
  });
  parentPort?.once('message', () => {
    clearInterval(cleaning);
    server.close();
    for (const socket of sockets) socket.destroy();
    cursors.killAll();
    store.close();
    parentPort?.close();
  });
}

/** Ends unused cursors and removes expired documents; after an error, such as a full disk, the next run tries again. */
function cleanUp(store: Store, cursors: Cursors): void {
  const since = Date.now() - CURSOR_TIMEOUT_MS;
  cursors.killAll(({ lastUsed }) => lastUsed < since);
  store.write((writer) => expireDocuments(writer, new Date())).catch(() => undefined);
}

function post(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

try {
  main(workerData as WorkerInput);
} catch (error) {
  post({ failed: messageOf(error) });
}
