import { Worker } from 'node:worker_threads';
import { MongoError, messageOf } from '../bson/mongo-error.ts';

/** Input of a thread for heavy reads: the database file, and the number that its cursors carry. */
export interface ReaderInput {
  readonly file: string;
  readonly thread: number;
}

/** A message to a thread for heavy reads; `number` tells its answers apart. */
export type ReaderRequest =
  | { readonly kind: 'answer'; readonly number: number; readonly message: Uint8Array; readonly owner: number }
  | { readonly kind: 'kill'; readonly number: number; readonly id: bigint }
  | { readonly kind: 'disconnect'; readonly owner: number }
  | { readonly kind: 'close' };

/** The answer of the thread: a message for the client, or whether it has ended a cursor; `open` is what it now holds open. */
export interface ReaderReply {
  readonly number: number;
  readonly result: Uint8Array | boolean;
  readonly open: OpenReads;
}

/** Numbers of open cursors and snapshots. */
interface OpenReads {
  readonly cursors: number;
  readonly snapshots: number;
}

/** Maximum number of threads: more would take the processor from small requests. */
const MAX_THREADS = 2;

/** Settles one request to a thread. */
interface Waiting {
  resolve(result: ReaderReply['result']): void;
  reject(error: MongoError): void;
}

/**
 * Threads for heavy reads, so that other requests do not wait for them. One is started for a heavy read if no other is idle, has
 * its own connections to the file, and is closed when it has not been used for the lifetime of a cursor.
 */
export class Readers {
  readonly #file: string;
  readonly #script: URL;
  readonly #threads = new Map<number, ReaderThread>();

  /** Starts no thread yet; `script` is the compiled `reader.ts` of the parent folder. */
  constructor(file: string, script: URL) {
    this.#file = file;
    this.#script = script;
  }

  /** Answers a message of a client: in a given thread, where a cursor is, else in the one with the least to do. */
  async answer(message: Buffer, owner: number, thread = this.#freest()): Promise<Uint8Array> {
    const result = await this.#started(thread).ask((number) => {
      return { kind: 'answer', number, message: new Uint8Array(message), owner };
    });
    return result as Uint8Array;
  }

  /** Returns true if a thread is running. */
  has(thread: number): boolean {
    return this.#threads.has(thread);
  }

  /** Ends a cursor of a thread, without waiting for any other; returns true if it was open. */
  async kill(id: bigint, thread: number): Promise<boolean> {
    const killed = await this.#threads.get(thread)?.ask((number) => ({ kind: 'kill', number, id }));
    return killed === true;
  }

  /** Ends the cursors of a connection that has ended. */
  disconnect(owner: number): void {
    for (const thread of this.#threads.values()) thread.tell({ kind: 'disconnect', owner });
  }

  /** The number of threads, and what they hold open. */
  get open(): OpenReads & { readonly threads: number } {
    const all = [...this.#threads.values()].map(({ open }) => open);
    const sum = (name: keyof OpenReads) => all.reduce((total, open) => total + open[name], 0);
    return { threads: all.length, cursors: sum('cursors'), snapshots: sum('snapshots') };
  }

  /** Closes the threads that have nothing to do, and have not been used since a time. */
  closeUnused(since: number): void {
    for (const [number, thread] of this.#threads) {
      if (thread.pending === 0 && thread.lastUsed < since) void this.#end(number, thread);
    }
  }

  /** Closes all threads, and waits for their end. */
  async close(): Promise<void> {
    await Promise.all([...this.#threads].map(([number, thread]) => this.#end(number, thread)));
  }

  #end(number: number, thread: ReaderThread): Promise<void> {
    this.#threads.delete(number);
    return thread.close();
  }

  #freest(): number {
    const numbers = Array.from({ length: MAX_THREADS }, (_, place) => place + 1);
    const pending = (number: number) => this.#threads.get(number)?.pending;
    const idle =
      numbers.find((number) => pending(number) === 0) ?? numbers.find((number) => !this.#threads.has(number));
    return idle ?? numbers.reduce((best, one) => ((pending(one) ?? 0) < (pending(best) ?? 0) ? one : best));
  }

  #started(thread: number): ReaderThread {
    const running = this.#threads.get(thread);
    if (running) return running;
    const started = new ReaderThread(this.#script, { file: this.#file, thread });
    this.#threads.set(thread, started);
    void started.ended.then(() => {
      if (this.#threads.get(thread) === started) this.#threads.delete(thread);
    });
    return started;
  }
}

/** One thread, and the requests that wait for it. */
class ReaderThread {
  lastUsed = Date.now();
  open: OpenReads = { cursors: 0, snapshots: 0 };
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #failure: unknown;
  #number = 0;

  constructor(script: URL, input: ReaderInput) {
    this.#worker = new Worker(script, { execArgv: [], workerData: input });
    this.#worker.on('message', ({ number, result, open }: ReaderReply) => {
      this.open = open;
      this.#waiting.get(number)?.resolve(result);
      this.#waiting.delete(number);
    });
    this.#worker.on('error', (error) => {
      this.#failure = error;
    });
    this.ended = new Promise((settle) => this.#worker.once('exit', () => settle()));
    void this.ended.then(() => this.#fail());
  }

  /** Number of requests that wait. */
  get pending(): number {
    return this.#waiting.size;
  }

  ask(request: (number: number) => ReaderRequest): Promise<ReaderReply['result']> {
    this.lastUsed = Date.now();
    this.#number += 1;
    const number = this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.tell(request(number));
    });
  }

  tell(request: ReaderRequest): void {
    this.#worker.postMessage(request);
  }

  close(): Promise<void> {
    this.tell({ kind: 'close' });
    return this.ended;
  }

  #fail(): void {
    const reason = this.#failure === undefined ? 'it was closed' : messageOf(this.#failure);
    const error = new MongoError('InternalError', `The thread for heavy reads has ended: ${reason}`);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
