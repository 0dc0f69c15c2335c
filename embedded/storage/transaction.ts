import { MongoError } from '../bson/mongo-error.ts';
import type { Connection } from './connection.ts';
import type { Writes } from './access.ts';

/** Maximum duration of a transaction, in milliseconds: less than writes wait for it. */
const MAX_TRANSACTION_MS = 8000;

/** The transaction of a client, over several commands. It has the connection that writes for itself until it ends. */
export class Transaction implements Writes {
  readonly allowance = Number.POSITIVE_INFINITY;
  readonly openSnapshots = 0;
  readonly arrivals = undefined;
  /** Resolves when the transaction has ended, successfully or not. */
  readonly ended: Promise<void>;
  readonly #writer: Connection;
  readonly #timer: NodeJS.Timeout;
  readonly #onEnd: () => void;
  #settle: () => void = () => undefined;
  #state: 'open' | 'committed' | 'aborted' = 'open';

  /** Takes over a connection that has begun a transaction, and calls `onEnd` when it is free again. */
  constructor(writer: Connection, onEnd: () => void) {
    this.#writer = writer;
    writer.inClientTransaction = true;
    this.#onEnd = onEnd;
    this.ended = new Promise((settle) => {
      this.#settle = settle;
    });
    this.#timer = setTimeout(() => this.abort(), MAX_TRANSACTION_MS).unref();
  }

  /** `aborted` also by itself, if its time was over. */
  get state(): 'open' | 'committed' | 'aborted' {
    return this.#state;
  }

  acquire(): Connection {
    if (this.#state !== 'open') throw new MongoError('NoSuchTransaction', 'The transaction has been aborted');
    return this.#writer;
  }

  release(): void {
    // The connection is the transaction's until it ends.
  }

  read<T>(work: (reader: Connection) => T): T {
    return work(this.acquire());
  }

  /** Reads all documents: later writes of the transaction would change those that a statement has yet to find. */
  cursorOver(documents: Iterable<Buffer>): Iterator<Buffer> {
    return [...documents].values();
  }

  async write<T>(work: (writer: Connection) => T): Promise<T> {
    return work(this.acquire());
  }

  /** Makes the changes durable; throws if the file cannot be written, and has then undone them. */
  commit(): void {
    this.acquire();
    try {
      this.#writer.end('COMMIT');
      this.#end('committed');
    } catch (error) {
      this.abort();
      throw error;
    }
  }

  /** Undoes the changes, unless the transaction has ended. */
  abort(): void {
    if (this.#state !== 'open') return;
    this.#writer.rollBack();
    this.#end('aborted');
  }

  #end(state: 'committed' | 'aborted'): void {
    this.#state = state;
    this.#writer.inClientTransaction = false;
    clearTimeout(this.#timer);
    this.#onEnd();
    this.#settle();
  }
}
