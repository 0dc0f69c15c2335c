import { chmodSync } from 'node:fs';
import type { Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from './bson/mongo-error.ts';
import { CLEAN_UP_MS, CURSOR_TIMEOUT_MS, Cursors } from './commands/cursors.ts';
import { expireDocuments } from './expire-documents.ts';
import { builtScript } from './built-script.ts';
import { Readers } from './readers/readers.ts';
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

/** Documents that a read may decode in this thread: some milliseconds' work, in which all others wait. */
const ALLOWANCE = 256;

/** Time for one batch of a cursor in this thread, in milliseconds. */
const SLICE_MS = 4;

/** Expired documents that are removed from a collection before others get their turn. */
const EXPIRED_A_TURN = 200;

/** Runs the server until the parent asks it to stop. */
function main({ file, socketPath }: WorkerInput): void {
  const engine = findSqliteEngine();
  const store = new Store(engine, file, ALLOWANCE);
  const cursors = new Cursors(0, SLICE_MS);
  const readers = new Readers(file, builtScript('reader', import.meta.url));
  const server = createMongoServer({ store, cursors, readers });
  const sockets = new Set<Socket>();
  const cleaning = setInterval(() => cleanUp(store, cursors, readers), CLEAN_UP_MS);
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
  parentPort?.once('message', async () => {
    clearInterval(cleaning);
    server.close();
    for (const socket of sockets) socket.destroy();
    cursors.killAll();
    await readers.close();
    store.close();
    parentPort?.close();
  });
}

/** Ends what is not used, and removes expired documents; after an error, such as a full disk, the next run tries again. */
function cleanUp(store: Store, cursors: Cursors, readers: Readers): void {
  const since = Date.now() - CURSOR_TIMEOUT_MS;
  cursors.killUnused(since);
  readers.closeUnused(since);
  const expire = async (): Promise<void> => {
    const expired = await store.write((writer) => expireDocuments(writer, new Date(), EXPIRED_A_TURN));
    if (expired > 0) return expire();
  };
  expire().catch(() => undefined);
}

function post(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

try {
  main(workerData as WorkerInput);
} catch (error) {
  post({ failed: messageOf(error) });
}
