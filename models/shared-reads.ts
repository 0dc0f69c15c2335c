/** A read in progress, and the next one, for which others already wait. */
interface Reads<Value> {
  current: Promise<Value>;
  next?: Promise<Value>;
}

/**
 * Reads that callers share. Callers that come while a read is in progress share the next one, which begins after all of them
 * have come: under load that saves most of the reads, and no caller gets a result that was read before its request.
 */
export class SharedReads<Value> {
  readonly #reads = new Map<string, Reads<Value>>();

  /**
   * Returns the result of a read that begins now or later. Callers share the value and must not change it.
   * @param key of the data; `begin` depends on nothing else
   */
  read(key: string, begin: () => Promise<Value>): Promise<Value> {
    const reads = this.#reads.get(key);
    if (!reads) return this.#begin(key, begin);
    const beginNext = () => this.#begin(key, begin);
    reads.next ??= reads.current.then(beginNext, beginNext);
    return reads.next;
  }

  #begin(key: string, begin: () => Promise<Value>): Promise<Value> {
    const reads: Reads<Value> = { current: begin() };
    this.#reads.set(key, reads);
    const end = () => {
      if (!reads.next) this.#reads.delete(key);
    };
    reads.current.then(end, end);
    return reads.current;
  }
}
