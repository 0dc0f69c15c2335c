import { Binary } from 'bson';
import { check } from '../bson/mongo-error.ts';
import { isDoc, type Value } from '../bson/value.ts';
import type { Store } from '../storage/store.ts';
import type { Arguments } from './arguments.ts';
import { Session, type Work } from './session.ts';

/** Lifetime of an unused session, in minutes, as in MongoDB. */
export const SESSION_TIMEOUT_MINUTES = 30;

/** The sessions of all clients. They live as long as the server: a client that finds another has lost its transactions. */
export class Sessions {
  readonly #store: Store;
  readonly #sessions = new Map<string, Session>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Runs a command: in the transaction that it names, once if it is a retryable write, else on the store. */
  async run<T>(name: string, args: Arguments, work: Work<T>): Promise<T> {
    const isTransaction = args.value('autocommit') === false;
    const isFirst = args.value('startTransaction') === true;
    if (args.value('txnNumber') === undefined) {
      check(!isTransaction && !isFirst, 'InvalidOptions', "A transaction needs the field 'txnNumber'");
      return work(this.#store);
    }
    check(isTransaction || !isFirst, 'InvalidOptions', "The field 'startTransaction' needs 'autocommit': false");
    const session = this.#sessionOf(args.optionalDoc('lsid') ?? null);
    const number = args.long('txnNumber');
    return isTransaction ? session.transact({ name, number, isFirst }, work) : session.once(number, work);
  }

  /** Ends sessions that their client has done with. */
  end(ids: readonly Value[]): void {
    for (const id of ids) this.#end(keyOf(id));
  }

  /** Ends the sessions that have not been used since a time. */
  endUnused(since: number): void {
    for (const [key, { lastUsed }] of this.#sessions) if (lastUsed < since) this.#end(key);
  }

  #end(key: string): void {
    this.#sessions.get(key)?.end();
    this.#sessions.delete(key);
  }

  #sessionOf(id: Value): Session {
    const key = keyOf(id);
    const session = this.#sessions.get(key) ?? new Session(this.#store);
    session.lastUsed = Date.now();
    this.#sessions.set(key, session);
    return session;
  }
}

function keyOf(lsid: Value): string {
  const id = isDoc(lsid) ? lsid.get('id') : undefined;
  check(id instanceof Binary, 'InvalidOptions', "Transaction numbers need the field 'lsid' with an id");
  return id.toString('base64');
}
