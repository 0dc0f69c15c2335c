import { Random } from '../../../server/demo/random.ts';

/** Choices that look random and are the same for the same seed. */
export class Dice {
  readonly #random: Random;

  constructor(seed: string) {
    this.#random = new Random(seed);
  }

  /** A whole number from 0 to below a limit. */
  below(limit: number): number {
    return Math.floor(this.#random.between(0, limit));
  }

  /** True with a probability from 0 to 1. */
  chance(probability: number): boolean {
    return this.#random.next() < probability;
  }

  /** One of a list that has one. */
  pick<T>(choices: readonly [T, ...T[]] | readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined && choices.length === 0) throw new RangeError('There is nothing to pick from');
    return choice as T;
  }

  /** One of a list by weights. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let left = this.#random.between(
      0,
      choices.reduce((sum, [weight]) => sum + weight, 0),
    );
    for (const [weight, choice] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return this.pick(choices)[1];
  }

  /** Up to so many of what is made, possibly none. */
  some<T>(max: number, make: () => T): T[] {
    return Array.from({ length: this.below(max + 1) }, make);
  }

  /** Bytes of any value. */
  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }
}
