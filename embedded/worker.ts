import { chmodSync } from 'node:fs';
import type { Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, type ErrorName } from './bson/mongo-error.ts';
import { CLEAN_UP_MS, CURSOR_TIMEOUT_MS, Cursors } from './commands/cursors.ts';
import { expireDocuments } from './expire-documents.ts';
import { builtScript } from './built-script.ts';
import { ReadFaults } from './commands/read-faults.ts';
import { Readers } from './readers/readers.ts';
import { createMongoServer, type ServerState } from './server.ts';
import { Sessions, SESSION_TIMEOUT_MINUTES } from './commands/sessions.ts';
import { clientError } from './storage/file-errors.ts';
import { findSqliteEngine } from './storage/sqlite.ts';
import { Store } from './storage/store.ts';

/** Input of the worker: the database file, and the socket to listen on; without one, a free loopback port. */
export interface WorkerInput {
  readonly file: string;
  readonly socketPath: string | undefined;
  /** False keeps documents that a TTL index has expired. */
  readonly ttlMonitorEnabled: boolean;
}

/** A message to the worker. */
export type WorkerRequest = 'erase' | 'close';

/** A message of the worker: it is ready, whether it has erased what was deleted, or the reason of a failure. */
export type WorkerMessage =
  | { readonly ready: { readonly engine: string; readonly port: number } }
  | { readonly erased: boolean }
  | { readonly failed: string; readonly codeName?: ErrorName };

/** Documents that a read may decode in this thread: some milliseconds' work, in which all others wait. */
const ALLOWANCE = 256;

/** Time for one batch of a cursor in this thread, in milliseconds. */
const SLICE_MS = 4;

/** Maximum number of expired documents that are removed from a collection in one step. */
const EXPIRED_A_TURN = 200;

/** Runs the server until the parent asks it to stop. */
function main({ file, socketPath, ttlMonitorEnabled }: WorkerInput): void {
  const engine = findSqliteEngine();
  const store = new Store(engine, file, ALLOWANCE);
  const cursors = new Cursors(0, SLICE_MS);
  const sessions = new Sessions(store);
  const readers = new Readers(file, builtScript('reader', import.meta.url));
  const server = createMongoServer({ cursors, sessions, faults: new ReadFaults(), readers });
  const sockets = new Set<Socket>();
  const cleaning = setInterval(() => {
    endUnused({ cursors, sessions, readers });
    if (ttlMonitorEnabled) removeExpired(store).catch(() => undefined);
  }, CLEAN_UP_MS);
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
  const ending = new AbortController();
  let erasing = Promise.resolve();
  const close = async () => {
    clearInterval(cleaning);
    ending.abort();
    server.close();
    for (const socket of sockets) socket.destroy();
    cursors.killAll();
    await readers.close();
    await erasing;
    store.close();
    parentPort?.close();
  };
  parentPort?.on('message', (request: WorkerRequest) => {
    if (request === 'close') void close();
    else erasing = erasing.then(() => erase(store, ending.signal));
  });
}

async function erase(store: Store, signal: AbortSignal): Promise<void> {
  try {
    post({ erased: await store.erase(signal) });
  } catch (error) {
    post({ failed: messageOf(error) });
  }
}

function endUnused({ cursors, sessions, readers }: Omit<ServerState, 'faults'>): void {
  const since = Date.now() - CURSOR_TIMEOUT_MS;
  cursors.killUnused(since);
  readers?.closeUnused(since);
  sessions.endUnused(Date.now() - SESSION_TIMEOUT_MINUTES * 60_000);
}

/** Removes expired documents; after an error, such as a full disk, the next run tries again. */
async function removeExpired(store: Store): Promise<void> {
  const expired = await store.write((writer) => expireDocuments(writer, new Date(), EXPIRED_A_TURN));
  if (expired > 0) await removeExpired(store);
}

function post(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

try {
  main(workerData as WorkerInput);
} catch (error) {
  const { codeName, message } = clientError(error);
  post(codeName === 'InternalError' ? { failed: messageOf(error) } : { failed: message, codeName });
}
