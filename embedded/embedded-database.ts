import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { MongoError } from './bson/mongo-error.ts';
import { builtScript } from './built-script.ts';
import { removeStaleSockets, SOCKET, socketFolderPrefix } from './stale-sockets.ts';
import type { WorkerInput, WorkerMessage, WorkerRequest } from './worker.ts';

/** A database that runs inside this process, for MongoDB clients. */
export interface EmbeddedDatabase {
  /** The address for MongoDB clients, such as Mongoose. */
  readonly uri: string;
  /** The file that holds everything. */
  readonly file: string;
  /** The name of the SQLite in use. */
  readonly engine: string;
  /**
   * Overwrites what deleted documents have left in the file and empties its log, while others continue. Returns false if that
   * has to be repeated later: it was aborted, or someone reads an older state for long.
   */
  erase(signal: AbortSignal): Promise<boolean>;
  /** Stops it; what was acknowledged is in the file. */
  close(): Promise<void>;
}

/** Options of a database. */
export interface EmbeddedDatabaseOptions {
  /** The file, which is created if it does not exist. Other processes may use it too. */
  readonly file: string;
  /**
   * MongoDB's parameter: false keeps documents that a TTL index has expired by the clock of the machine, for tests with a clock of
   * their own. True by default.
   */
  readonly ttlMonitorEnabled?: boolean;
}

/**
 * Starts a database on a file.
 *
 * @throws MongoError if SQLite cannot use the file
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const file = resolve(options.file);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // One on a disk that is read-only can be read.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  const folder = process.platform === 'win32' ? undefined : mkdtempSync(socketFolderPrefix(process.pid));
  const socketPath = folder && join(folder, SOCKET);
  if (folder) await removeStaleSockets();
  const worker = new Worker(builtScript('worker', import.meta.url), {
    execArgv: [],
    workerData: { file, socketPath, ttlMonitorEnabled: options.ttlMonitorEnabled ?? true } satisfies WorkerInput,
  });
  const ended = new Promise((settle) => worker.once('exit', settle));
  const clean = () => {
    try {
      if (folder) rmSync(folder, { recursive: true, force: true });
    } catch {
      // A later start removes it. Node.js 24 cannot remove it without free file descriptors; that error must not hide the first
      // one.
    }
  };
  try {
    const { engine, port } = await ready(worker);
    const host = socketPath ? encodeURIComponent(socketPath) : `127.0.0.1:${port}`;
    const close = async () => {
      worker.postMessage('close' satisfies WorkerRequest);
      await ended;
      clean();
    };
    return {
      uri: `mongodb://${host}/?directConnection=true`,
      file,
      engine,
      erase: (signal) => erase(worker, signal),
      close,
    };
  } catch (error) {
    await worker.terminate();
    clean();
    throw error;
  }
}

function erase(worker: Worker, signal: AbortSignal): Promise<boolean> {
  return new Promise((settle, reject) => {
    const end = () => settle(false);
    worker.once('exit', end);
    signal.addEventListener('abort', end);
    worker.once('message', (message: WorkerMessage) => {
      worker.off('exit', end);
      signal.removeEventListener('abort', end);
      if ('erased' in message) settle(message.erased);
      else if ('failed' in message) reject(new Error(`Deleted data cannot be overwritten: ${message.failed}`));
    });
    worker.postMessage('erase' satisfies WorkerRequest);
  });
}

function ready(worker: Worker): Promise<{ engine: string; port: number }> {
  return new Promise((settle, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The embedded database stopped before it was ready')));
    worker.once('message', (message: WorkerMessage) => {
      if ('ready' in message) settle(message.ready);
      else if ('failed' in message) {
        const { failed, codeName } = message;
        const text = `The embedded database cannot start: ${failed}`;
        reject(codeName === undefined ? new Error(text) : new MongoError(codeName, text));
      }
    });
  });
}
