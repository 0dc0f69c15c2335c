import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import type { Encoding } from './content-encoding.ts';

/** Compression levels: Brotli's quality up to 11, and zlib's level up to 9. */
export interface Effort {
  readonly br: number;
  readonly gzip: number;
}

/** Bytes that are sent many times, and compressed once for each encoding, on first use. */
export class Compressible {
  readonly #bytes: Buffer;
  readonly #effort: Effort;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(bytes: Buffer, effort: Effort) {
    this.#bytes = bytes;
    this.#effort = effort;
  }

  /** Number of bytes, uncompressed. */
  get length(): number {
    return this.#bytes.length;
  }

  /** Returns the bytes in an encoding; null leaves them uncompressed. */
  async in(encoding: Encoding | null): Promise<Buffer> {
    if (encoding === null) return this.#bytes;
    const found = this.#compressed.get(encoding) ?? compress(this.#bytes, encoding, this.#effort[encoding]);
    this.#compressed.set(encoding, found);
    return found;
  }
}

function compress(bytes: Buffer, encoding: Encoding, effort: number): Promise<Buffer> {
  return encoding === 'gzip'
    ? promisify(gzip)(bytes, { level: effort })
    : promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: effort } });
}
