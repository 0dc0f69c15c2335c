import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { newKey } from '../../../models/key.ts';

/** Location of numbers in a {@link SpillFile}: place in bytes, length in numbers. */
export interface SpilledRows {
  readonly at: number;
  readonly length: number;
}

/** A temporary file of numbers, unlinked once it is created, so that the system removes it after any exit. */
export class SpillFile {
  #descriptor: number | null = null;
  #end = 0;

  write(numbers: Float64Array): SpilledRows {
    this.#descriptor ??= openUnnamed();
    const place = { at: this.#end, length: numbers.length };
    let written = 0;
    while (written < numbers.byteLength) {
      const rest = new Uint8Array(numbers.buffer, numbers.byteOffset + written, numbers.byteLength - written);
      written += writeSync(this.#descriptor, rest, 0, rest.length, place.at + written);
    }
    this.#end += numbers.byteLength;
    return place;
  }

  read({ at }: SpilledRows, numbers: Float64Array): void {
    if (this.#descriptor === null) throw new RangeError('Nothing was spilled yet');
    let read = 0;
    while (read < numbers.byteLength) {
      const rest = new Uint8Array(numbers.buffer, numbers.byteOffset + read, numbers.byteLength - read);
      const count = readSync(this.#descriptor, rest, 0, rest.length, at + read);
      if (count === 0) throw new RangeError('The temporary file of an import has been cut short');
      read += count;
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }
}

function openUnnamed(): number {
  const name = join(tmpdir(), `waybridge-import-${newKey()}`);
  const descriptor = openSync(name, 'wx+', 0o600);
  unlinkSync(name);
  return descriptor;
}
