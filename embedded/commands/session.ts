import { Timestamp } from 'bson';
import { MongoError, check } from '../bson/mongo-error.ts';
import { mapOf, type Value } from '../bson/value.ts';
import type { Writes } from '../storage/access.ts';
import type { Store } from '../storage/store.ts';
import type { Transaction } from '../storage/transaction.ts';

/** Work of a command on what it reads and writes. */
export type Work<T> = (store: Writes) => T | Promise<T>;

/** A command of a transaction. */
export interface TransactionCommand {
  readonly name: string;
  /** Number of the transaction, which grows within a session. */
  readonly number: bigint;
  readonly isFirst: boolean;
}

/** The commands that a transaction may have. */
const COMMANDS: ReadonlySet<string> = new Set(
  'abortTransaction aggregate commitTransaction create createIndexes delete distinct find findAndModify findandmodify getMore insert killCursors update'.split(
    ' ',
  ),
);

/** A session of a client. Its numbers tell its writes and transactions apart; the newest is the one that may be repeated. */
export class Session {
  /** Time of its last command, in milliseconds. */
  lastUsed = Date.now();
  readonly #store: Store;
  #number = -1n;
  /** The answer to the write of this number. */
  #answer: Promise<unknown> | undefined;
  #transaction: Transaction | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Runs a retryable write: one that is sent again, because its answer was lost, gets the first answer, also while that is under
   * way. One that failed is run again.
   */
  async once<T>(number: bigint, work: Work<T>): Promise<T> {
    this.#checkAge(number);
    // The session's client sends the same command under the same number.
    if (number === this.#number && this.#answer) return this.#answer as Promise<T>;
    this.#begin(number);
    const answer = Promise.resolve(work(this.#store));
    this.#answer = answer;
    answer.catch(() => {
      if (this.#answer === answer) this.#answer = undefined;
    });
    return answer;
  }

  /**
   * Runs a command of a transaction; one that fails ends the transaction. Drivers name the time of the answer in what they read next:
   * here, every read comes after what was answered.
   */
  async transact<T>(command: TransactionCommand, work: Work<T>): Promise<T> {
    const { name, number, isFirst } = command;
    this.#checkAge(number);
    if (isFirst) await this.#start(number);
    const transaction = this.#named(number);
    // It is sent again, because the answer was lost.
    if (name === 'commitTransaction' && transaction.state === 'committed') return work(this.#store);
    checkOpen(transaction, number);
    try {
      check(
        COMMANDS.has(name),
        'OperationNotSupportedInTransaction',
        `Cannot run '${name}' in a multi-document transaction.`,
      );
      if (name === 'commitTransaction') transaction.commit();
      if (name === 'abortTransaction') transaction.abort();
      const answer = await work(transaction);
      if (answer instanceof Map) {
        if (answer.has('writeErrors')) transaction.abort();
        answer.set('operationTime', new Timestamp({ t: Math.trunc(Date.now() / 1000), i: 1 }));
      }
      return answer;
    } catch (error) {
      transaction.abort();
      throw error;
    }
  }

  /** Undoes a transaction that is open. */
  end(): void {
    this.#transaction?.abort();
  }

  #checkAge(number: bigint): void {
    const message = `Cannot start transaction ${number} because a newer transaction ${this.#number} has already started`;
    check(number >= this.#number, 'TransactionTooOld', message);
  }

  #begin(number: bigint): void {
    this.end();
    this.#number = number;
    this.#answer = undefined;
    this.#transaction = undefined;
  }

  async #start(number: bigint): Promise<void> {
    const message = `Transaction ${number} has been started already`;
    check(number > this.#number, 'ConflictingOperationInProgress', message);
    this.#begin(number);
    this.#transaction = await this.#store.transaction();
  }

  #named(number: bigint): Transaction {
    if (number === this.#number && this.#transaction) return this.#transaction;
    throw notInProgress(number);
  }
}

function checkOpen({ state }: Transaction, number: bigint): void {
  check(state !== 'committed', 'TransactionCommitted', `Transaction ${number} has been committed`);
  if (state === 'aborted') throw notInProgress(number);
}

function notInProgress(number: bigint): MongoError {
  return new MongoError('NoSuchTransaction', `Transaction ${number} is not in progress`, TRANSIENT);
}

/** Tells drivers that the whole transaction can be tried again. */
const TRANSIENT = mapOf({ errorLabels: ['TransientTransactionError'] as Value[] });
