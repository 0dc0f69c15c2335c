import { chmodSync } from 'node:fs';
import type { Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { CURSOR_TIMEOUT_MS, Cursors } from './commands/cursors.ts';
import { expireDocuments } from './expire-documents.ts';
import { createMongoServer } from './server.ts';
import { findSqliteEngine } from './storage/sqlite.ts';
import { Store } from './storage/store.ts';

/** What the worker is started with: the database file, and the socket to listen on (none: a free loopback port). */
export interface WorkerInput {
  readonly file: string;
  readonly socketPath: string | undefined;
}

/** What the worker says once: that it listens, or why it cannot. */
export type WorkerMessage =
  | { readonly ready: { readonly engine: string; readonly port: number } }
  | { readonly failed: string };

const HOUSEKEEPING_MS = 60_000;

/** Runs the server until the parent asks it to stop. */
function main({ file, socketPath }: WorkerInput): void {
  const engine = findSqliteEngine();
  const store = new Store(engine, file);
  const cursors = new Cursors();
  const server = createMongoServer(store, cursors);
  const sockets = new Set<Socket>();
  const housekeeping = setInterval(() => keepHouse(store, cursors), HOUSEKEEPING_MS);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('error', (error) => say({ failed: error.message }));
  server.listen(socketPath === undefined ? { host: '127.0.0.1', port: 0 } : { path: socketPath }, () => {
    if (socketPath !== undefined) chmodSync(socketPath, 0o600);
    const address = server.address();
    say({ ready: { engine: engine.name, port: typeof address === 'object' && address ? address.port : 0 } });
  });
  parentPort?.once('message', () => {
    clearInterval(housekeeping);
    server.close();
    for (const socket of sockets) socket.destroy();
    cursors.killAll();
    store.close();
    parentPort?.close();
  });
}

/** Ends forgotten cursors and removes expired documents; a full disk or a busy file is met again in a minute. */
function keepHouse(store: Store, cursors: Cursors): void {
  cursors.killUnused(Date.now() - CURSOR_TIMEOUT_MS);
  store.write((writer) => expireDocuments(writer, new Date())).catch(() => undefined);
}

function say(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

try {
  main(workerData as WorkerInput);
} catch (error) {
  say({ failed: error instanceof Error ? error.message : String(error) });
}
