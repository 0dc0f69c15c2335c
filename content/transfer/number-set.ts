/** Numbers of a page, of which each takes a bit. */
const PAGE = 4096;

/** Place of a number: its page, the byte in it, and the bit in that. */
function placeOf(value: number): readonly [page: number, at: number, bit: number] {
  const page = Math.floor(value / PAGE);
  const within = value - page * PAGE;
  return [page, within >> 3, 1 << (within & 7)];
}

/** A set of whole numbers, which takes little memory if they lie close to each other, as numbers of records do. */
export class NumberSet {
  readonly #pages = new Map<number, Uint8Array>();
  #size = 0;
  #highest = 0;

  get size(): number {
    return this.#size;
  }

  /** The highest number; 0 if there is none. */
  get highest(): number {
    return this.#highest;
  }

  has(value: number): boolean {
    const [page, at, bit] = placeOf(value);
    return ((this.#pages.get(page)?.[at] ?? 0) & bit) !== 0;
  }

  /** Adds a number; returns false if the set has it. */
  add(value: number): boolean {
    const [page, at, bit] = placeOf(value);
    const bytes = this.#pages.get(page) ?? new Uint8Array(PAGE / 8);
    const byte = bytes[at] ?? 0;
    if ((byte & bit) !== 0) return false;
    bytes[at] = byte | bit;
    this.#pages.set(page, bytes);
    this.#size += 1;
    this.#highest = Math.max(this.#highest, value);
    return true;
  }

  *[Symbol.iterator](): Generator<number> {
    for (const page of this.#pages.keys()) {
      for (let value = page * PAGE; value < (page + 1) * PAGE; value += 1) if (this.has(value)) yield value;
    }
  }

  /** Lists of at most so many of the numbers that are in no other set. */
  *chunks(length: number, except?: NumberSet): Generator<number[]> {
    let chunk: number[] = [];
    for (const value of this) {
      if (!except?.has(value)) chunk.push(value);
      if (chunk.length < length) continue;
      yield chunk;
      chunk = [];
    }
    if (chunk.length > 0) yield chunk;
  }
}
