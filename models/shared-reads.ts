/** A read that is under way, and the one after it, which others already wait for. */
interface Reads<Value> {
  current: Promise<Value>;
  next?: Promise<Value>;
}

/**
 * Reads that callers share. Callers that come while a read is under way share the one after it, which begins after all of them
 * have come: under load that saves most of the reads, and none is answered by what was read before it asked.
 */
export class SharedReads<Value> {
  readonly #reads = new Map<string, Reads<Value>>();

  /**
   * Returns what a read that begins now or later finds. Callers share the value, and do not change it.
   * @param key of what is read; `begin` depends on nothing else
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
