import { LRUCache } from 'lru-cache';

/** Accounts whose values are kept in memory. */
const MAX_ACCOUNTS = 1000;
/**
 * Time after which a value is read again, in milliseconds: a process that was killed between a change and counting it has
 * not acknowledged it, but it may be seen.
 */
const MAX_AGE_MS = 60_000;

/** Data of accounts with which positions are compared: read once for all positions until the number of its changes differs. */
export class RevisedCache<Value extends object> {
  readonly #known = new LRUCache<string, { readonly revision: number; readonly value: Promise<Value> }>({
    max: MAX_ACCOUNTS,
    ttl: MAX_AGE_MS,
  });
  readonly #read: (account_key: string, revision: number) => Promise<Value>;
  readonly #none: Value;

  /** @param none what an account has that never changed it: nothing is read */
  constructor(read: (account_key: string, revision: number) => Promise<Value>, none: Value) {
    this.#read = read;
    this.#none = none;
  }

  /** The value of an account as it was at a revision, or is now. */
  async at(account_key: string, revision: number): Promise<Value> {
    if (revision === 0) return this.#none;
    const there = this.#known.get(account_key);
    if (there && there.revision >= revision) return there.value;
    const value = this.#read(account_key, revision);
    this.#known.set(account_key, { revision, value });
    value.catch(() => this.#known.delete(account_key));
    return value;
  }
}
