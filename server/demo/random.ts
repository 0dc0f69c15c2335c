import { createHash } from 'node:crypto';

/** Numbers that look random and are the same for the same seed, in every process: Mulberry32. */
export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = createHash('sha256').update(seed).digest().readUInt32LE();
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From one number to below another. */
  between(least: number, limit: number): number {
    return least + this.next() * (limit - least);
  }

  /** Around 0, mostly within -1 to 1: the sum of three is close enough to a normal distribution. */
  around(): number {
    return (this.next() + this.next() + this.next()) * 2 - 3;
  }
}
