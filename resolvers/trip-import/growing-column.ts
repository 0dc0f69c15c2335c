/** A column of numbers that grows as it is read; eight bytes a number, where an array of objects takes a hundred. */
export class GrowingColumn {
  #values = new Float64Array(1024);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Float64Array(this.#values.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  /** What was pushed, in a buffer of its own. */
  values(): Float64Array {
    return this.#values.slice(0, this.#length);
  }
}
