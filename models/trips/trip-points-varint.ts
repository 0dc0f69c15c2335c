/** Folds the sign of an integer into its lowest bit, so that small ones of both signs stay small. */
export function zigzag(value: number): number {
  return value < 0 ? -value * 2 - 1 : value * 2;
}

/** The integer that {@link zigzag} folded. */
export function unzigzag(folded: number): number {
  return folded % 2 === 1 ? -(folded + 1) / 2 : folded / 2;
}

/** Writes integers of any size up to 2^53 in as few bytes as they need, seven bits a byte, lowest first. */
export class VarintWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  /** Writes an integer that is not negative. */
  natural(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Writes an integer of either sign: small ones of both signs are short (zigzag). */
  integer(value: number): void {
    this.natural(zigzag(value));
  }

  /** Writes a column in whole units, each value as the difference to the one before it. */
  differences(column: Float64Array, unitsPer: number): void {
    let last = 0;
    for (const value of column) {
      const units = Math.round(value * unitsPer);
      this.integer(units - last);
      last = units;
    }
  }

  /** Writes text in UTF-8 that ends with the bytes. */
  text(text: string): void {
    const encoded = new TextEncoder().encode(text);
    this.#reserve(encoded.length);
    this.#bytes.set(encoded, this.#length);
    this.#length += encoded.length;
  }

  /** Returns the bytes written so far. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads what {@link VarintWriter} wrote, in the same order. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** @throws RangeError at the end of the bytes */
  natural(): number {
    let value = 0;
    let weight = 1;
    for (;;) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('Trip points end inside a number');
      if (byte < 0x80) return value + byte * weight;
      value += (byte - 0x80) * weight;
      weight *= 0x80;
    }
  }

  /** @throws RangeError at the end of the bytes */
  integer(): number {
    return unzigzag(this.natural());
  }

  /** Fills a column with what {@link VarintWriter.differences} wrote. */
  differences(column: Float64Array, unitsPer: number): void {
    let units = 0;
    for (let i = 0; i < column.length; i++) {
      units += this.integer();
      column[i] = units / unitsPer;
    }
  }

  /** The rest, as text. */
  rest(): string {
    return new TextDecoder().decode(this.#bytes.subarray(this.#at));
  }
}
