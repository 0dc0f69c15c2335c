/** A source of choices that are the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 to 1, without 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** One of several. */
  one<T>(all: readonly [T, ...T[]]): T {
    return all[Math.floor(this.next() * all.length)] ?? all[0];
  }

  /** As many of several as asked for, in the order in which they stand. */
  sample<T>(all: readonly T[], size: number): T[] {
    const ranked = all.map((value, at) => ({ value, at, rank: this.next() }));
    return ranked
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, Math.max(0, size))
      .toSorted((a, b) => a.at - b.at)
      .map(({ value }) => value);
  }
}
